#pragma once
#include "app/drawing/scene_input.h"
#include "app/engine/need.h"

namespace glassformer {

/// What a token is read by beside what it is predicted by: its row of E and its column of W_U, for the tokens
/// of the text and the likeliest next ones, with the angle between the two, and that of the whole vocabulary.
Scene unembeddingScene(const SceneInput& input);

namespace needs {
/// unembedding.*: see core/lens/unembedding.h.
extern const Need unembeddingAngles;
}  // namespace needs

}  // namespace glassformer
