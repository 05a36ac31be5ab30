#pragma once
#include <optional>

#include "app/drawing/scene_input.h"

namespace glassformer {

/// What positions do that are not added to the embeddings, in the selected head: queries and keys turned as
/// arrows, or what is added to the scores, as a matrix and as a curve over the keys of the selected token.
/// Nothing for positions that do neither.
std::optional<Scene> positionEffectScene(const SceneInput& input);

}  // namespace glassformer
