#include "app/engine/pattern_rules.h"

#include <algorithm>

namespace glassformer {

std::shared_ptr<const Wording> wordingOf(std::shared_ptr<const Tokenizer> tokenizer) {
  return std::make_shared<const Wording>(
      Wording{[tokenizer](int id) { return tokenizer->tokenBytes(id); },
              [tokenizer](int id) { return tokenizer->writtenBehind(id); }});
}

Interventions PatternRules::bound(Interventions interventions,
                                  const std::shared_ptr<const Tokenizer>& tokenizer,
                                  const ModelConfig& config) {
  for (Intervention& intervention : interventions) {
    if (intervention.hypothesis.empty()) continue;
    const auto known = std::ranges::find_if(made_, [&](const Intervention& made) {
      return made.point == intervention.point && made.hypothesis == intervention.hypothesis;
    });
    if (known != made_.end()) {
      intervention.rule = known->rule;
      continue;
    }
    Interventions one{intervention};
    bindHypotheses(one, wordingOf(tokenizer), config);
    intervention.rule = one.front().rule;
    made_.push_back(intervention);
  }
  return interventions;
}

}  // namespace glassformer
