#include "app/engine/rule_terms.h"

#include <utility>
#include <vector>

#include "core/lens/next_tokens.h"
#include "core/trace/derived.h"

namespace glassformer {

namespace {

TensorView patternOf(const ReplayedPass& pass, HeadId head) {
  return (*pass.trace)[attentionPoint(head.layer, head.site, "hook_pattern")][head.head];
}

// The rows about which the rule says something and that see more than one key.
std::vector<int> spokenRows(const RuleContext& over, const TensorView& said) {
  std::vector<int> rows;
  for (int t = 0; t < over.queryCount(); ++t) {
    bool speaks = false;
    for (int s = 0; s < over.keyCount(); ++s) speaks |= said(t, s) > 0;
    if (speaks && over.hasChoice(t)) rows.push_back(t);
  }
  return rows;
}

}  // namespace

MultiPassDerivation agreementAcross(const TextAgain& text, HeadId head, const AttentionRule& rule,
                                    const Wording& wording) {
  ReplayedPass whole = text.whole();
  const RuleContext over = lookedOver(wording, text.model->config().ofLayer(head.layer), head.site,
                                      text.text.tokens, text.text.source);
  const TensorView attention = patternOf(whole, head);
  const int T = over.queryCount(), S = over.keyCount();
  const Stream rows = queriesOf(head.site), keys = keysOf(head.site);
  auto set = std::make_shared<TensorSet>();
  set->add({"lens.said", "TS", "attention of each query to each key, by the rule", "P", rows, keys},
           rule.pattern(over));
  const TensorView said = (*set)["lens.said"];
  addDerived(*set, {"lens.shared", "TS", "overlap of head and rule at each key", "min(A, P)", rows, keys},
             {T, S}, [attention, said](const Index& at) {
               const float &a = attention(at[0], at[1]), &p = said(at[0], at[1]);
               return Derivation{.terms = {{a < p ? &a : &p}}};
             });
  addDerived(*set,
             {"lens.row_shared", "T", "overlap of head and rule in each row", "Σ_s min(A, P)", rows, keys},
             {T}, [shared = (*set)["lens.shared"], S](const Index& at) {
               Derivation sum;
               for (int s = 0; s < S; ++s) sum.terms.push_back({&shared(at[0], s)});
               return sum;
             });
  std::vector<Cell> spoken;
  for (const int t : spokenRows(over, said)) spoken.push_back(&(*set)["lens.row_shared"](t));
  whole.measured = std::move(set);
  return {derivedMean(spoken), {std::move(whole)}};
}

MultiPassDerivation attentionAcross(const TextAgain& text, HeadId head, int query, int key) {
  ReplayedPass whole = text.whole();
  Derivation same{.terms = {{&patternOf(whole, head)(query, key)}}};
  return {std::move(same), {std::move(whole)}};
}

MultiPassDerivation lossOfText(const TextAgain& text, const std::optional<Intervention>& replaced) {
  ReplayedPass pass = text.whole();
  if (replaced)
    pass = text.with("with " + replaced->ruleText + " instead of the head's pattern", {*replaced});
  auto set = std::make_shared<TensorSet>();
  measureNextTokens(*pass.trace, *set);
  Derivation mean{.terms = {{&(*set)["lens.loss"](0)}}};
  if (!text.text.counted.empty()) {
    std::vector<Cell> losses;
    for (std::size_t t = 0; t < text.text.counted.size(); ++t)
      if (text.text.counted[t]) losses.push_back(&(*set)["lens.surprise"](static_cast<int>(t)));
    mean = derivedMean(losses);
  }
  pass.measured = std::move(set);
  return {std::move(mean), {std::move(pass)}};
}

}  // namespace glassformer
