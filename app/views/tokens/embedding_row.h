#pragma once
#include "app/drawing/scene_input.h"

namespace glassformer {

inline constexpr float embeddingRowHeight = 48;

/// The row of the embedding that the id of the selected token picks: from here on the token is this vector.
/// Of a difference, that of the two rows.
void addEmbeddingRow(Scene& scene, const SceneInput& input, Stream stream, const Box& box);

}  // namespace glassformer
