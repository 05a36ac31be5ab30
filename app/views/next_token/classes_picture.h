#pragma once
#include "app/drawing/scene_input.h"
#include "app/engine/need.h"

namespace glassformer {

/// What the head for classes says: each class with its logit u_C and p = softmax(u_C) at the selected token,
/// and below that its p by the text up to every token.
Scene classesScene(const SceneInput& input);

namespace needs {
/// lens.class_probability, see core/lens/class_probabilities.h.
extern const Need classProbabilities;
}  // namespace needs

}  // namespace glassformer
