#pragma once
#include "app/drawing/scene_input.h"
#include "app/engine/need.h"

namespace glassformer {

/// What L blocks of attention cost at any T, M and D that one sets: part by part, attention across M × N
/// included, and all tokens in parallel, as in training, beside one token after the other, as in sampling.
Scene sizesScene(const SceneInput& input);

namespace needs {
/// cost.part* and so on, counted from the operations of a block that is written down and never run.
extern const Need costOfSizes;
}  // namespace needs

}  // namespace glassformer
