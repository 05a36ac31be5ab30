#pragma once
#include "app/drawing/scene_input.h"
#include "app/engine/need.h"

namespace glassformer {

/// The keys and values that decoding keeps, as it goes on with the text by the chosen strategy: how long each
/// is, in every block and head, which of them a step read again and which it computed; and what each step
/// costs with them and without, in multiply-adds and in seconds of this machine.
Scene cacheScene(const SceneInput& input);

namespace needs {
/// cache.*: see above.
extern const Need cache;
}  // namespace needs

}  // namespace glassformer
