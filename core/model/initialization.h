#pragma once
#include <cstdint>

#include "core/model/config.h"
#include "core/model/parameters.h"
#include "core/watch.h"

namespace glassformer {

/// How large the first random weights are. What GPT-2 uses (0.02 everywhere) leaves small models with uniform
/// attention for thousands of steps; larger embeddings and positions let heads form early.
struct InitialScale {
  float embedding = 0.3f;  ///< standard deviation of wte
  float position = 0.3f;   ///< of wpe, and of wtt
  /// Start the learned positions as sinusoids of that size instead of noise: "one position back" is then a
  /// rotation from the start, and previous-token heads form early. Training is free to change them.
  bool sinusoidalStart = false;
  float weight = 0;  ///< of matrices; 0: 1/√in
  /// How alike the heads of an attention begin: 1 the same, 0 each its own; see makeHeadsAlike(). Nothing
  /// ever parts heads that are the same.
  float equalHeads = 0;
};

/// Fills owned parameters with seeded normal values; norms start at γ = 1, β = 0, biases at 0; the two
/// projections that write into the residual stream are scaled by 1/√(2L) (Radford et al. 2019). A convolution
/// counts all of its taps as inputs. `watch` is told how far that is; since half a model is none, its answer
/// is not asked for.
void initialize(const ModelConfig& config, Parameters& parameters, const InitialScale& scale,
                std::uint64_t seed, const ProgressCallback& watch = noProgress);

}  // namespace glassformer
