#pragma once
#include "app/drawing/scene_input.h"
#include "app/engine/need.h"

namespace glassformer {

/// The text's tokens in another order, and how far each token's final vector moves by it: not at all where
/// neither positions nor a mask tell places apart. Of every model, whatever its positions.
Scene shuffleScene(const SceneInput& input);

namespace needs {
/// lens.shuffle_*: see core/lens/shuffle.h.
extern const Need shuffledText;
}  // namespace needs

}  // namespace glassformer
