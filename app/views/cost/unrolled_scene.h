#pragma once
#include "app/drawing/scene_input.h"
#include "app/engine/need.h"

namespace glassformer {

/// The network unrolled: a state for every token behind every block, what each waits for in lines, and in
/// each the fewest steps that have to be taken in series until it is there (core/lens/serial_steps.h); beside
/// it a shortest way from one token to another, which clicks choose (core/lens/path_length.h).
Scene unrolledScene(const SceneInput& input);

namespace needs {
extern const Need unrolledNetwork;
}  // namespace needs

}  // namespace glassformer
