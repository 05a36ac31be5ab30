#pragma once
#include <cstdint>
#include <string>

#include "core/decode/constraint.h"
#include "core/decode/sampling_stage.h"

namespace glassformer {

enum class DecodingStrategy { Greedy, Sampling, Beam };

/// "beam search"; what undo calls choosing it.
std::string nameOf(DecodingStrategy strategy);

struct Decoding {
  DecodingStrategy strategy = DecodingStrategy::Beam;
  int beamWidth = 3;
  int depth = 6;             ///< tokens to look ahead
  float lengthPenalty = 0;   ///< alpha; scores are divided by lengthᵅ
  float siblingPenalty = 0;  ///< gamma; the k-th of one hypothesis is ranked γ (k − 1) lower
  int groups = 1;            ///< that the beam is split into, each searched after those before it
  float groupPenalty =
      0.5f;  ///< lambda; ranked so much lower for each earlier group's hypothesis that took the token
  bool stopsEarly = false;  ///< as soon as the best hypothesis has ended
  StageNumbers stages;
  std::uint64_t seed = 1;
  Constraint constraint;  ///< what the continuation has to be, however it is decoded

  bool operator==(const Decoding&) const = default;
};

}  // namespace glassformer
