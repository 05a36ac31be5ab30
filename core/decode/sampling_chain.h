#pragma once
#include <span>

#include "core/decode/sampling.h"
#include "core/trace/tensor_set.h"

namespace glassformer {

/// What sampling does to one distribution, stage by stage; letter G counts the stages in their order, 0 is
/// what the model says. Those that are off change nothing.
namespace chain {
inline constexpr const char *probability = "lens.sampling",  ///< [G, V]; 0 for what is no candidate any more
    *logit = "lens.sampling_logit",                          ///< [G, V]: of the candidates left, else NaN
        *before = "lens.sampling_before",    ///< [G, V]: of all before it; NaN for what is none any more
            *stage = "lens.sampling_stage",  ///< [G]: see ChainLink
                *entropy = "lens.sampling_entropy",    ///< [G], in nats
                    *seen = "lens.sampling_seen",      ///< [V]: how often the text has each token already
                        *draw = "lens.sampling_draw",  ///< [1]: the random number that chooses, from 0 to 1
                            *drawn = "lens.sampling_drawn",       ///< [1]: the token that it chooses
                                *which = "lens.sampling_number";  ///< [1]: which number of the seed that is,
                                                                  ///< from 1
}  // namespace chain

/// What acts as the i-th of the chain: the model, the constraint where there is one, then the stages.
struct ChainLink {
  const SamplingStage* stage = nullptr;  ///< null: the model, or the constraint
  bool isConstraint = false;
  bool isModel() const { return !stage && !isConstraint; }
  std::string_view id() const;    ///< "model", "constraint", or the stage's
  std::string_view name() const;  ///< "The model", "Constraint", or the stage's
};
ChainLink chainLink(const TensorView& order, int i);

/// Adds these for logits [V], which live as long as the set, after `prompt` and what was added to it, and the
/// random number u that chooses. With the first number of a seed the token drawn is the first one that
/// generate() appends; -1 where none fits the constraint.
void measureSamplingChain(std::span<const float> logits, std::span<const int> prompt,
                          std::span<const int> added, const SamplingSettings& settings, double u,
                          TensorSet& set);

}  // namespace glassformer
