#pragma once
#include "app/drawing/scene_input.h"
#include "app/views/beam/beam_layout.h"
#include "app/views/beam/beam_viewport.h"

namespace glassformer {

/// Pixels that a node needs for two lines, for one, and for its narrowest text.
inline constexpr float twoLines = 28, twoPrunedLines = 20, oneLine = 13, narrowest = 22;
/// Pixels of height below which a node is a mere stroke.
inline constexpr float barely = 3;

/// Draws the links and nodes of a beam tree that can be seen through the viewport, each with as much written
/// on it as has room: token and probability, the token alone, or nothing.
void addBeamNodes(Scene& scene, const SceneInput& input, const BeamLayout& layout,
                  const BeamViewport& viewport);

/// Greedy's mark, a small diamond.
void addGreedyMark(Scene& scene, const Theme& theme, Point center);
/// The part of an area of nodes that is drawn: with half a mark above it, for one that stands on the edge of
/// a node there.
Box seenWithMarks(const Box& area);
/// Marks the group of the beam that a node is in.
void addGroupMark(Scene& scene, const Theme& theme, int group, const Box& box);
/// Marks the right end of what nothing leads on from.
void addDeadEndMark(Scene& scene, const Theme& theme, const Box& box);
/// The colour of what was pruned.
Rgba prunedInk(const Theme& theme);

}  // namespace glassformer
