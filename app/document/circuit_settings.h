#pragma once

namespace glassformer {

/// What ViewSettings::choices calls the first pair of tokens that is in sight in each list of a head's
/// circuits.
inline constexpr const char* firstCircuitPair = "attention.first_circuit_pair";

}  // namespace glassformer
