#pragma once
#include "app/drawing/scene_input.h"
#include "app/engine/need.h"

namespace glassformer {

/// Attention by distance only, as the convolution that it is: the selected head's filter over the distance,
/// and below it what the head hands on, what a convolution with this filter gives, and their difference: 0
/// where the border is open, else only inside of the text.
Scene filterScene(const SceneInput& input);

namespace needs {
/// See core/lens/distance_filter.h.
extern const Need filterOfHead;
}  // namespace needs

}  // namespace glassformer
