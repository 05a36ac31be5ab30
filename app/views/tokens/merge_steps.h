#pragma once
#include "app/drawing/scene_input.h"

namespace glassformer {

/// How the word of the selected token comes together: its characters, its bytes, then one row per merge with
/// the pair that was joined and the rank of the rule, down to the tokens; every piece stands above and below
/// the bytes that it is made of. Where there are more steps than room, those in the middle are left out.
/// Returns what is left of the area below.
Box addMergeSteps(Scene& scene, const SceneInput& input, Stream stream, Box area);

}  // namespace glassformer
