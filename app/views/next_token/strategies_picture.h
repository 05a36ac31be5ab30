#pragma once
#include "app/drawing/scene_input.h"

namespace glassformer {

/// The text continued by every strategy, one under the other, and by many samples at once: how often each
/// continuation came, beside how often its probability says.
Scene strategiesScene(const SceneInput& input);

}  // namespace glassformer
