#pragma once
#include "app/drawing/picture_number.h"
#include "app/drawing/scene_input.h"

namespace glassformer {

/// Up to how many tokens mixing is measured.
PictureNumbers measuredSizes(const SceneInput& input);
/// The sizes that multiply-adds are counted for: T, M and D.
PictureNumbers countedSizes(const SceneInput& input);

}  // namespace glassformer
