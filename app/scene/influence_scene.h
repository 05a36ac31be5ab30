#pragma once
#include "app/scene/scene_input.h"

namespace glassformer {

/// What predictions depend on, measured (see core/lens/influence.h): the text coloured by its influence on
/// one prediction, a matrix of all, and how influence fades with the distance.
Scene influenceScene(const SceneInput& input);

}  // namespace glassformer
