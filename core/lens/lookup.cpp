#include "core/lens/lookup.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/lens/attention_stages.h"
#include "core/lens/derived.h"

namespace glassformer {
namespace {

using At = std::array<int, maxRank>;

// Row t of the scores, each times `scale`.
Derivation scoresOfRow(const TensorView& s, const At& at, Form form, float scale) {
  Derivation d{.form = form, .chosen = static_cast<std::size_t>(at[1])};
  for (int key = 0; key < s.extent[1]; ++key) d.terms.push_back({&s(at[0], key), nullptr, scale});
  return d;
}

}  // namespace

void measureLookup(const ModelConfig& config, const Trace& trace, HeadId head, float temperature,
                   TensorSet& set) {
  if (!hasSoftmax(config)) return;
  const TensorView s = trace[attentionPoint(head.layer, head.site, "hook_attn_scores")][head.head],
                   v = trace[attentionPoint(head.layer, head.site, "hook_v")];
  const int T = s.extent[0], S = s.extent[1], K = v.extent[2], own = head.head * v.extent[1] / config.heads;
  const Stream rows = queriesOf(head.site), keys = keysOf(head.site);
  const auto hard = [=](const At& at) { return scoresOfRow(s, at, Form::Largest, 1); };
  const auto soft = [=](const At& at) { return scoresOfRow(s, at, Form::Softmax, 1 / temperature); };
  const TensorSet::DerivationOf share =
      temperature > 0 ? TensorSet::DerivationOf(soft) : TensorSet::DerivationOf(hard);
  const std::string name = stageTensor(lookup::share, head);
  addDerived(set,
             {stageTensor(lookup::hard, head), "TS", "the best key alone", "1 where s is largest, else 0",
              rows, keys},
             {T, S}, hard);
  addDerived(set, {name, "TS", "how much of each value is taken", "softmax(s / τ)", rows, keys}, {T, S},
             share);
  const TensorView shares = set[name];
  const auto value = [=](const At& at) {
    Derivation d;
    for (int key = 0; key < S; ++key) d.terms.push_back({&shares(at[0], key), &v(key, own, at[1])});
    return d;
  };
  addDerived(
      set,
      {stageTensor(lookup::value, head), "TK", "what the lookup reads out", "softmax(s / τ) · v", rows, keys},
      {T, K}, value);
}

}  // namespace glassformer
