#include "core/lens/hypothesis_rule.h"

#include <algorithm>
#include <utility>

namespace glassformer {
namespace {

class HypothesisRule final : public ActivationRule {
 public:
  HypothesisRule(AttentionRule hypothesis, std::shared_ptr<const Wording> wording, const ModelConfig& config,
                 AttentionSite site)
      : hypothesis_(std::move(hypothesis)), wording_(std::move(wording)), config_(config), site_(site) {}

  Tensor values(std::span<const int> tokens, std::span<const int> source) const override {
    const RuleContext over = lookedOver(*wording_, config_, site_, tokens, source);
    Tensor pattern = hypothesis_.pattern(over);
    fillSilentRows(over, pattern);
    return pattern;
  }

 private:
  AttentionRule hypothesis_;
  std::shared_ptr<const Wording> wording_;
  ModelConfig config_;
  AttentionSite site_;
};

}  // namespace

std::shared_ptr<const ActivationRule> ruleOf(AttentionRule hypothesis, std::shared_ptr<const Wording> wording,
                                             const ModelConfig& config, AttentionSite site) {
  return std::make_shared<const HypothesisRule>(std::move(hypothesis), std::move(wording), config, site);
}

Intervention patternReplaced(HeadId head, std::string hypothesis) {
  Intervention replaced{.point = attentionPoint(head.layer, head.site, "hook_pattern"),
                        .kind = InterventionKind::Replace};
  replaced.index[0] = head.head;
  replaced.hypothesis = std::move(hypothesis);
  return replaced;
}

const Intervention* patternReplacement(const Interventions& interventions, HeadId head) {
  const Intervention own = patternReplaced(head, "");
  const auto found = std::ranges::find_if(interventions, [&](const Intervention& i) {
    return !i.hypothesis.empty() && i.point == own.point && i.index == own.index;
  });
  return found == interventions.end() ? nullptr : &*found;
}

void bindHypotheses(Interventions& interventions, const std::shared_ptr<const Wording>& wording,
                    const ModelConfig& config) {
  for (Intervention& i : interventions) {
    if (i.hypothesis.empty() || !config.hasAttention()) continue;
    for (const AttentionSite site : sitesOf(config))
      for (int layer = 0; layer < blocksAt(config, site); ++layer)
        if (attentionPoint(layer, site, "hook_pattern") == i.point)
          if (auto read = AttentionRule::read(i.hypothesis))
            i.rule = ruleOf(std::move(*read), wording, config.ofLayer(layer), site);
  }
}

}  // namespace glassformer
