#include "core/lens/pattern_replacement.h"

#include <algorithm>
#include <utility>

namespace glassformer {
namespace {

class PatternByRule final : public ActivationRule {
 public:
  PatternByRule(AttentionRule rule, std::shared_ptr<const Wording> wording, const ModelConfig& config,
                AttentionSite site)
      : rule_(std::move(rule)), wording_(std::move(wording)), config_(config), site_(site) {}

  Tensor values(std::span<const int> tokens, std::span<const int> source) const override {
    const RuleContext over = lookedOver(*wording_, config_, site_, tokens, source);
    Tensor pattern = rule_.pattern(over);
    fillSilentRows(over, pattern);
    return pattern;
  }

 private:
  AttentionRule rule_;
  std::shared_ptr<const Wording> wording_;
  ModelConfig config_;
  AttentionSite site_;
};

}  // namespace

std::shared_ptr<const ActivationRule> ruleOf(AttentionRule rule, std::shared_ptr<const Wording> wording,
                                             const ModelConfig& config, AttentionSite site) {
  return std::make_shared<const PatternByRule>(std::move(rule), std::move(wording), config, site);
}

Intervention patternReplaced(HeadId head, std::string rule) {
  Intervention replaced{.point = attentionPoint(head.layer, head.site, "hook_pattern"),
                        .kind = InterventionKind::Replace};
  replaced.index[0] = head.head;
  replaced.ruleText = std::move(rule);
  return replaced;
}

const Intervention* patternReplacement(const Interventions& interventions, HeadId head) {
  const Intervention own = patternReplaced(head, "");
  const auto found = std::ranges::find_if(interventions, [&](const Intervention& i) {
    return !i.ruleText.empty() && i.point == own.point && i.index == own.index;
  });
  return found == interventions.end() ? nullptr : &*found;
}

void bindRules(Interventions& interventions, const std::shared_ptr<const Wording>& wording,
               const ModelConfig& config) {
  for (Intervention& i : interventions) {
    if (i.ruleText.empty() || !config.hasAttention()) continue;
    for (const AttentionSite site : sitesOf(config))
      for (int layer = 0; layer < blocksAt(config, site); ++layer)
        if (attentionPoint(layer, site, "hook_pattern") == i.point)
          if (auto read = AttentionRule::read(i.ruleText))
            i.rule = ruleOf(std::move(*read), wording, config.ofLayer(layer), site);
  }
}

}  // namespace glassformer
