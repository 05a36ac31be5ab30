#pragma once
#include "app/drawing/picture_number.h"
#include "app/drawing/scene_input.h"

namespace glassformer {

/// The base N of sinusoids, where a position's table is measured; a model that is being trained keeps its
/// own.
PictureNumbers baseNumbers(const SceneInput& input);
/// The same, and the shift Δ.
PictureNumbers shiftNumbers(const SceneInput& input);

}  // namespace glassformer
