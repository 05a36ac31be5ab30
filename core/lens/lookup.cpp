#include "core/lens/lookup.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/lens/attention_stages.h"
#include "core/trace/derived.h"

namespace glassformer {
namespace {

using At = std::array<int, maxRank>;

// Row t of scores or of what is found, each times `scale`.
Derivation scoresOfRow(const TensorView& s, const At& at, Form form, float scale) {
  Derivation d{.form = form, .chosen = static_cast<std::size_t>(at[1])};
  for (int key = 0; key < s.extent[1]; ++key) d.terms.push_back({&s(at[0], key), nullptr, scale});
  return d;
}

// Whether they are the same but for rounding.
bool isSame(const TensorView& q, int t, const TensorView& k, int s) {
  float largest = 0, apart = 0;
  for (int i = 0; i < q.extent[1]; ++i)
    largest = std::max(largest, std::abs(q(t, i))), apart = std::max(apart, std::abs(q(t, i) - k(s, i)));
  return apart <= 1e-5f * largest;
}

// Which keys are the query, and how long each key is.
void measureKeys(const Trace& trace, const ModelConfig& config, HeadId head, const TensorView& scores,
                 TensorSet& set) {
  const auto compared = [&](const char* which) {
    return headRows(trace[comparedPoint(trace, head.layer, head.site, which)], head.head, config.heads);
  };
  const TensorView q = compared("q"), k = compared("k");
  Tensor exact({q.extent[0], k.extent[0]});
  for (int t = 0; t < q.extent[0]; ++t)
    for (int s = 0; s < k.extent[0]; ++s) exact(t, s) = std::isfinite(scores(t, s)) && isSame(q, t, k, s);
  set.add({stageTensor(lookup::exact, head), "TS", "the keys that are the query", "1 where k = q, else 0",
           queriesOf(head.site), keysOf(head.site)},
          std::move(exact));
  addDerived(set,
             {stageTensor(lookup::length, head), "T1", "norm of each key", "‖k‖ = √(Σ k²)", keysOf(head.site),
              keysOf(head.site)},
             {k.extent[0], 1}, [=](const At& at) {
               Derivation d{.form = Form::Function,
                            .function = [](double x) { return std::sqrt(x); },
                            .functionName = "√"};
               for (int i = 0; i < k.extent[1]; ++i) d.terms.push_back({&k(at[0], i), &k(at[0], i)});
               return d;
             });
}

}  // namespace

void measureLookup(const ModelConfig& config, const Trace& trace, HeadId head,
                   std::optional<float> temperature, TensorSet& set) {
  if (!hasSoftmax(config)) return;
  const TensorView s = trace[attentionPoint(head.layer, head.site, "hook_attn_scores")][head.head],
                   v = trace[attentionPoint(head.layer, head.site, "hook_v")];
  const int T = s.extent[0], S = s.extent[1], K = v.extent[2], own = head.head * v.extent[1] / config.heads;
  const Stream rows = queriesOf(head.site), keys = keysOf(head.site);
  const auto isThere = [&](const char* which) {
    return trace.contains(comparedPoint(trace, head.layer, head.site, which));
  };
  const bool hasKeys = hasProducts(config, head.site) && isThere("q") && isThere("k");
  if (hasKeys) measureKeys(trace, config, head, s, set);
  const TensorView exact = hasKeys ? set[stageTensor(lookup::exact, head)] : TensorView{};
  const auto hard = [=](const At& at) { return scoresOfRow(s, at, Form::Largest, 1); };
  const auto soft = [=](const At& at) { return scoresOfRow(s, at, Form::Softmax, 1 / *temperature); };
  const auto found = [=](const At& at) { return scoresOfRow(exact, at, Form::Share, 1); };
  const bool isSoft = temperature && *temperature > 0;
  const TensorSet::DerivationOf share = isSoft                    ? TensorSet::DerivationOf(soft)
                                        : temperature || !hasKeys ? TensorSet::DerivationOf(hard)
                                                                  : TensorSet::DerivationOf(found);
  const std::string name = stageTensor(lookup::share, head);
  addDerived(set,
             {stageTensor(lookup::hard, head), "TS", "the best key alone", "1 where s is largest, else 0",
              rows, keys},
             {T, S}, hard);
  addDerived(set,
             {name, "TS", "weight of each value", temperature ? "softmax(s / τ)" : "[k = q] / Σ [k = q]",
              rows, keys},
             {T, S}, share);
  const TensorView shares = set[name];
  const auto value = [=](const At& at) {
    Derivation d;
    for (int key = 0; key < S; ++key) d.terms.push_back({&shares(at[0], key), &v(key, own, at[1])});
    return d;
  };
  addDerived(set,
             {stageTensor(lookup::value, head), "TK", "output of the lookup",
              temperature ? "softmax(s / τ) · v" : "Σ [k = q] v / Σ [k = q]", rows, keys},
             {T, K}, value);
}

bool areAsLong(const TensorView& lengths, const TensorView& scores) {
  float shortest = std::numeric_limits<float>::infinity(), longest = 0;
  for (int s = 0; s < lengths.extent[0]; ++s)
    if (std::isfinite(scores(s)))
      shortest = std::min(shortest, lengths(s, 0)), longest = std::max(longest, lengths(s, 0));
  return longest - shortest <= 1e-3f * longest;
}

}  // namespace glassformer
