#pragma once
#include <span>

#include "core/decode/sampling_stage.h"
#include "core/trace/tensor_set.h"

namespace glassformer {

/// What sampling does to one distribution, stage by stage; letter G counts the stages in their order, 0 is
/// what the model says. Those that are off change nothing.
namespace chain {
inline constexpr const char *probability = "lens.sampling",  ///< [G, V]; 0 for what is no candidate any more
    *before = "lens.sampling_before",    ///< [G, V]: of all before it; NaN for what is none any more
        *stage = "lens.sampling_stage",  ///< [G]: its number among samplingStages(), from 1; 0: the model
            *entropy = "lens.sampling_entropy",          ///< [G], in nats
                *seen = "lens.sampling_seen",            ///< [V]: how often the text has each token already
                    *draw = "lens.sampling_draw",        ///< [1]: the random number that chooses, from 0 to 1
                        *drawn = "lens.sampling_drawn";  ///< [1]: the token that it chooses
}  // namespace chain

/// Which stage the i-th of the chain is; null: the model.
const SamplingStage* chainStage(const TensorView& order, int i);

/// Adds these for logits [V] after `text` and the random number u that chooses. With the first number of a
/// seed the token drawn is the first one that generate() appends.
void measureSamplingChain(std::span<const float> logits, std::span<const int> text,
                          const StageNumbers& numbers, double u, TensorSet& set);

}  // namespace glassformer
