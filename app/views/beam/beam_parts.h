#pragma once
#include <vector>

#include "app/drawing/parts.h"
#include "app/drawing/scene_input.h"
#include "app/views/beam/beam_layout.h"
#include "app/views/beam/beam_viewport.h"

namespace glassformer {

/// What the pictures of one beam tree and of two have in common.

/// The nodes that filter and folds leave, in columns of width 1; the paths to `ends` are always there. As
/// high as fills the area once `seenOf` has let the rows of a small tree grow.
BeamLayout shownBeam(const SceneInput& input, const BeamTree& tree, const std::vector<int>& ends,
                     const Box& area);
/// How many tokens ahead it reaches, with the text's own column.
int columnsOf(const BeamLayout& layout, const BeamTree& tree);

/// Where in an area it is seen: what was chosen by wheel and drag; until then its beginning, moved up or down
/// until the best hypothesis is seen.
BeamViewport seenOf(const SceneInput& input, const Box& area, const BeamLayout& layout, const BeamTree& tree);

/// All of the tree, or as much as can be read.
Choice wholeTree(const BeamViewport& viewport);
/// The choices at the right end of the heading: all of the tree or a part, and which branches are hidden.
/// Returns where they begin, for further ones.
Box addTreeControls(Scene& scene, const SceneInput& input, const Box& box, const BeamViewport& viewport);
/// Faint column numbers: how many tokens ahead.
void addDepths(Scene& scene, const SceneInput& input, const BeamViewport& viewport, int columns);
/// Wheel, drag and double click. Under all nodes, so that they work on them and between them.
void addTreeMoving(Scene& scene, const BeamViewport& viewport);
/// The node whose hypothesis is the open text; 0 where that is what the tree grows from, −1 where it is none.
int lookedAtNode(const Snapshot& snapshot);
/// Of a word in a node this wide: a long one has smaller letters, before it is cut.
float letterSizeIn(float width, const SceneInput& input, const std::string& word, float usual);
/// What a token of the tree is called.
std::string beamLabel(const Snapshot& snapshot, int token);

}  // namespace glassformer
