#pragma once

namespace glassformer {

/// What ViewSettings::choices calls what stands beside the unrolled network, by what mixes its tokens:
/// "recurrence"; nothing without a choice.
inline constexpr const char* besideChoice = "cost.beside";
/// And after how many steps in series it is looked at; at the end without a choice.
inline constexpr const char* waveChoice = "cost.wave";

}  // namespace glassformer
