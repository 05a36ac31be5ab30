#pragma once
#include <memory>
#include <vector>

#include "core/decode/sampling.h"
#include "core/model/live_pass.h"
#include "core/trace/across_passes.h"

namespace glassformer {

/// What decoding asked of a model and did not keep: the passes that said how probable tokens are. Each runs
/// again, in full, when a number that came of it is opened.
class TextPasses {
 public:
  TextPasses(std::shared_ptr<const Transformer> model, Interventions interventions, std::vector<int> source)
      : model_(std::move(model)), interventions_(std::move(interventions)), source_(std::move(source)) {}

  /// p of the last token of a text after all before it; empty where none comes before it.
  OpenPasses probability(std::vector<int> text) const;
  /// Σ ln p of the tokens of a text behind the first `before` of it, at least one, times a coefficient.
  OpenPasses logProbability(std::vector<int> text, int before, float coefficient = 1) const;
  /// The pass over a text that goes on behind the first `prompt` tokens of it, and the distribution [V] that
  /// the next token is drawn from: after constraint and stages, and for greedy decoding all on one token. The
  /// latter lives as long as the pass.
  std::pair<ReplayedPass, TensorView> drawnFrom(std::string name, const std::vector<int>& text, int prompt,
                                                const SamplingSettings& settings) const;
  /// Π p of the tokens of a text behind the first `before` of it, by the distributions that they are drawn
  /// from, times a coefficient.
  OpenPasses drawnProbability(std::vector<int> text, int before, const SamplingSettings& settings,
                              float coefficient) const;
  /// q of the last token of a text, by what it is drawn from behind the first `prompt` tokens.
  OpenPasses drawnProbability(std::vector<int> text, int prompt, const SamplingSettings& settings) const;
  /// The pass over a text.
  ReplayedPass over(std::string name, std::vector<int> text) const;

 private:
  std::shared_ptr<const Transformer> model_;
  Interventions interventions_;
  std::vector<int> source_;
};

}  // namespace glassformer
