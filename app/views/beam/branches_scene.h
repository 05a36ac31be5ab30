#pragma once
#include "app/drawing/scene_input.h"

namespace glassformer {

/// The open text, the branches that are kept, and how greedy decoding, the beam and samples go on, as one
/// tree that grows to the right from where they part: a row for each, its name and what the model makes of it
/// at the end. A click on a token takes the text up to it, one on a name all of it; with Ctrl a name goes to
/// a tab of its own.
Scene branchesScene(const SceneInput& input);

}  // namespace glassformer
