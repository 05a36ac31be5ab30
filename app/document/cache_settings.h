#pragma once

namespace glassformer {

/// What ViewSettings::choices calls the token whose step the picture of the cache shows; without a choice
/// that of the place in the decoded text, or the last one.
inline constexpr const char* cacheStepChoice = "cost.step";

}  // namespace glassformer
