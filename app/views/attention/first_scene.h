#pragma once
#include "app/drawing/scene_input.h"

namespace glassformer {

/// The first picture of all: the text in large words, an arc from its last word back to the one that the
/// selected head attends to most, what comes next at its end, and a line of plain words about it.
Scene firstScene(const SceneInput& input);

}  // namespace glassformer
