#pragma once
#include <array>

namespace glassformer {

/// What ViewSettings::choices calls the number, in nats, from which on an edge is said to matter in a text;
/// empty: the usual one.
inline constexpr const char* edgeThreshold = "influence.edge_threshold";
inline constexpr std::array<const char*, 4> edgeThresholds{"0.003", "0.01", "0.03", "0.1"};
inline constexpr const char* usualEdgeThreshold = "0.01";
/// Which texts are told of. Empty: the open one alone. Of many each takes hundreds of passes: the first of
/// them, or all.
inline constexpr const char *edgeTexts = "influence.edge_texts", *firstEdgeTexts = "first",
                            *allEdgeTexts = "all";

}  // namespace glassformer
