#pragma once
#include "app/engine/need.h"

namespace glassformer {

/// What ViewSettings::choices calls whose vectors the geometry shows, and the place along the stream: without
/// a choice the stream's own, at its end.
inline constexpr const char *vectorsChoice = "residual.vectors", *placeChoice = "residual.place",
                            *ofHead = "queries and keys";
/// What of the stream is shown that is no place along it, and whether all places are shown in one projection.
inline constexpr const char *ofTokens = "tokens", *ofPositions = "positions", *pathChoice = "residual.path";
/// Along how many components they are drawn: two without a choice.
inline constexpr const char *dimensionsChoice = "residual.dimensions", *threeDimensions = "3";

bool showsSpace(const ViewSettings& settings);
/// Whether they are queries and keys of the selected head.
bool showsHead(const Workspace& workspace, const ModelConfig& config);
/// Whether they are the residual stream at all places, one of which is chosen.
bool showsPath(const Workspace& workspace, const ModelConfig& config);
/// The trace point of the tokens' embeddings or of their positions' encodings, where that is chosen and the
/// model adds such; else empty.
std::string chosenPart(const Workspace& workspace, const ModelConfig& config);
/// Of so many places of the residual stream the one that is shown.
int chosenPlace(const ViewSettings& settings, int places);

namespace needs {
/// lens.geometry*: all of them in one projection, of two texts as well; see core/lens/principal_components.h.
extern const Need residualGeometry;
}  // namespace needs

}  // namespace glassformer
