#include "core/lens/lookup.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/lens/attention_stages.h"

namespace glassformer {
namespace {

using At = std::array<int, maxRank>;

// Row t of the scores, each times `scale`.
Derivation scoresOfRow(const TensorView& s, const At& at, Form form, float scale) {
  Derivation d{.form = form, .chosen = static_cast<std::size_t>(at[1])};
  for (int key = 0; key < s.extent[1]; ++key) d.terms.push_back({&s(at[0], key), nullptr, scale});
  return d;
}

// The number that each derivation gives.
template <typename DerivationAt>
Tensor valuesOf(int rows, int columns, DerivationAt derivation) {
  Tensor values({rows, columns});
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) values(r, c) = static_cast<float>(derivation(At{r, c}).value());
  return values;
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
  set.add({stageTensor(lookup::hard, head), "TS", "the best key alone", "1 where s is largest, else 0", rows,
           keys},
          valuesOf(T, S, hard), hard);
  set.add({name, "TS", "how much of each value is taken", "softmax(s / τ)", rows, keys},
          valuesOf(T, S, share), share);
  const TensorView shares = set[name];
  const auto value = [=](const At& at) {
    Derivation d;
    for (int key = 0; key < S; ++key) d.terms.push_back({&shares(at[0], key), &v(key, own, at[1])});
    return d;
  };
  set.add(
      {stageTensor(lookup::value, head), "TK", "what the lookup reads out", "softmax(s / τ) · v", rows, keys},
      valuesOf(T, K, value), value);
}

}  // namespace glassformer
