#pragma once
#include <memory>

#include "app/engine/run_report.h"
#include "core/lens/pattern_replacement.h"
#include "core/text/tokenizer.h"
#include "core/train/held_out_texts.h"

namespace glassformer {

/// What a point holds in a model of the same kind, such as the open one after another step of its training.
/// It may be asked from any thread.
std::shared_ptr<const ActivationRule> ruleOfModel(std::shared_ptr<const Transformer> model,
                                                  std::string point);

/// What `part` selects of a point [T, D] or [T, H, K], held at its mean over the very text that is read (see
/// heldAtMean()), of this model's pass with what stands before it.
Intervention heldAtItsMean(std::shared_ptr<const Transformer> model, Intervention part, Interventions before);
/// The same as numbers of one text, which a file holds; other interventions as they are.
Interventions withMeansOf(Interventions interventions, const TokenText& text);

/// How a tokenizer's tokens are written, for rules to compare.
std::shared_ptr<const Wording> wordingOf(const std::shared_ptr<const Tokenizer>& tokenizer);

/// The rules that interventions stand for in the open model: rules, and what parts wrote at other steps
/// of its training. Each is made once, so that the same interventions stay equal from one text to the next.
class TextRules {
 public:
  /// Another model: other tokens, another mask.
  void clear() { made_.clear(); }
  /// The interventions with their rules; without one stays what cannot be read. `run`: of the open model;
  /// null: it is not in training.
  Interventions bound(Interventions interventions, const std::shared_ptr<const Tokenizer>& tokenizer,
                      const ModelConfig& config, const RunVariant* run = nullptr);

 private:
  Interventions made_;
};

}  // namespace glassformer
