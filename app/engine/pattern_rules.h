#pragma once
#include <memory>

#include "core/lens/hypothesis_rule.h"
#include "core/text/tokenizer.h"

namespace glassformer {

/// How a tokenizer's tokens are written, for hypotheses to compare.
std::shared_ptr<const Wording> wordingOf(std::shared_ptr<const Tokenizer> tokenizer);

/// The rules that hypotheses among interventions stand for in the open model. Each is made once, so that the
/// same interventions stay equal from one text to the next.
class PatternRules {
 public:
  /// Another model: other tokens, another mask.
  void clear() { made_.clear(); }
  /// The interventions with their rules; without one stays what cannot be read.
  Interventions bound(Interventions interventions, const std::shared_ptr<const Tokenizer>& tokenizer,
                      const ModelConfig& config);

 private:
  Interventions made_;
};

}  // namespace glassformer
