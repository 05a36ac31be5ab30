#pragma once
#include <array>

namespace glassformer {

/// The metric of edges without a choice; of many texts, that of each one's own answer where it ends.
inline constexpr const char* usualEdgeMetric = "loss";
/// The number, in nats or of a logit, from which on an edge is said to matter in a text; empty: the usual
/// one.
inline constexpr const char* edgeThreshold = "influence.edge_threshold";
inline constexpr std::array<const char*, 4> edgeThresholds{"0.003", "0.01", "0.03", "0.1"},
    edgeLogitThresholds{"0.03", "0.1", "0.3", "1"};
inline constexpr const char *usualEdgeThreshold = "0.01", *usualEdgeLogitThreshold = "0.1";
/// Which texts are told of. Empty: the open one alone. Of many each takes hundreds of passes: the first of
/// them, or all.
inline constexpr const char *edgeTexts = "influence.edge_texts", *firstEdgeTexts = "first",
                            *allEdgeTexts = "all";

}  // namespace glassformer
