#include "app/engine/painted_pairs.h"

#include "app/document/attention_planes.h"
#include "app/engine/pattern_rules.h"
#include "app/engine/rule_findings.h"
#include "core/lens/rule_fit.h"

namespace glassformer {

void measurePaintedPairs(const MeasuredPass& pass, const StartJob&, TensorSet& set) {
  const ModelConfig& config = pass.config();
  const auto pairs = pairsOf(pass.workspace.rule);
  if (!pass.workspace.settings.attention.pairing || pairs.empty() || !config.hasAttention()) return;
  const HeadId head = selectedHead(pass.workspace, config);
  const RuleContext over = lookedOver(*wordingOf(pass.tokenizer), config.ofLayer(head.layer), head.site,
                                      pass.trace.tokens(), pass.trace.source());
  const Tensor painted = AttentionRule::read(pairsText(pairs))->pattern(over);
  const auto shared = [&](const TensorView& pattern) {
    return agreementOn(over, pattern, painted.view()).agreement;
  };
  std::vector<float> likeness;
  for (const BenchRule& each : benchRules())
    likeness.push_back(shared(AttentionRule::read(each.id)->pattern(over).view()));
  const int count = static_cast<int>(likeness.size());
  set.add({paintedPairs::likeness, "Y", "overlap of each known rule with the drawn pattern",
           "Σ min(P, P drawn), mean over the drawn rows"},
          Tensor({count}, std::move(likeness)));
  set.add(
      {paintedPairs::agreement, "1", "overlap of the head's pattern with the drawn pattern",
       "Σ min(A, P drawn), mean over the drawn rows"},
      Tensor({1}, {shared(pass.trace[attentionPoint(head.layer, head.site, "hook_pattern")][head.head])}));
}

}  // namespace glassformer
