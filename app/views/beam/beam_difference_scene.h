#pragma once
#include "app/drawing/scene_input.h"

namespace glassformer {

/// The beam trees of two texts as one. Hypotheses that both searches have are coloured by the difference of
/// their scores, written on them; one that only the first has is "+", one that only the other has "−", in the
/// colours of the scale's ends, with its probability. Links are as thick as the probability where the
/// hypothesis is. The best of both are written out below. A click on a node takes its path into the open
/// text.
Scene beamDifferenceScene(const SceneInput& input);

}  // namespace glassformer
