#pragma once
#include "app/scene/scene_input.h"

namespace glassformer {

/// The beam tree, growing from the text to the right: what was kept with token and probability, links as
/// thick as the probability, pruned branches grey with the reason on hover, greedy's path marked, the best
/// hypothesis highlighted and written out. A click on a node puts its path into the text.
Scene beamScene(const SceneInput& input);

/// Why a node is no longer in the beam: "beaten by “x” with −3.21 against −3.80"; empty for those that are.
std::string reasonOf(const Snapshot& snapshot, int node);

}  // namespace glassformer
