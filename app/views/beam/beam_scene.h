#pragma once
#include "app/drawing/scene_input.h"

namespace glassformer {

/// The beam tree, growing from the text to the right: what was kept with token and probability, links as
/// thick as the probability, pruned branches grey with the reason on hover, greedy's path marked, the best
/// hypothesis highlighted and written out. A click on a node puts its path into the text, one with Ctrl folds
/// what follows it; the wheel zooms, dragging pans, a double click shows all.
Scene beamScene(const SceneInput& input);

/// A node in words: its token and rank, what its hypothesis scores, why it was pruned.
std::string describeNode(const Snapshot& snapshot, int node);

/// Why a node is no longer in the beam: "beaten by “x” with −3.21 against −3.80"; empty for those that are.
std::string reasonOf(const Snapshot& snapshot, int node);

}  // namespace glassformer
