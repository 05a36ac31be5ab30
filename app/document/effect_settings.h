#pragma once

namespace glassformer {

/// What ViewSettings::choices calls the number that is shown over many texts, by its id in datasetMetrics();
/// empty: what leaving out each part does to the loss.
inline constexpr const char* effectNumber = "influence.effect";

}  // namespace glassformer
