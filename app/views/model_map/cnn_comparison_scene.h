#pragma once
#include "app/drawing/scene_input.h"

namespace glassformer {

/// A block of a ResNet, of a ConvNeXt and of a transformer beside each other, as wide as the open model, what
/// corresponds in one row and lit together. A click opens the step of a block that the model has, and gives
/// the model any other one.
Scene parallelsScene(const SceneInput& input);

}  // namespace glassformer
