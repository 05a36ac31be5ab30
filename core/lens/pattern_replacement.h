#pragma once
#include <memory>

#include "core/lens/attention_rule.h"
#include "core/lens/head_id.h"
#include "core/trace/interventions.h"

namespace glassformer {

/// A rule that takes the place of a head's pattern in the forward pass. Rows without a key are spread evenly
/// over what they see, as in the ablation: what it leaves open does not help it.
std::shared_ptr<const ActivationRule> ruleOf(AttentionRule rule, std::shared_ptr<const Wording> wording,
                                             const ModelConfig& config, AttentionSite site);

/// Puts a rule in the place of a head's pattern, as soon as it is bound.
Intervention patternReplaced(HeadId head, std::string rule);
/// Which head's pattern an intervention replaces by a rule; nothing for other interventions.
const Intervention* patternReplacement(const Interventions& interventions, HeadId head);

/// Gives every rule among interventions its rule, for a model that reads by this wording. What cannot
/// be read, or is of no attention, stays without.
void bindRules(Interventions& interventions, const std::shared_ptr<const Wording>& wording,
               const ModelConfig& config);

}  // namespace glassformer
