#pragma once
#include "app/views/next_token/shown_chain.h"

namespace glassformer {

constexpr float samplingDrawHeight = 96;

/// What the stages leave, end to end, and the random number u as a point on it: the token is the first whose
/// cumulated probability passes u.
void addSamplingDraw(Scene& scene, const SceneInput& input, const ShownChain& chain, Box area);

}  // namespace glassformer
