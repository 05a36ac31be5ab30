#pragma once
#include "app/views/next_token/shown_chain.h"

namespace glassformer {

/// The number of a stage, or "off"; what a constraint is, shortly: "red|green", "2 banned".
std::string numberWords(const ShownChain& chain, int stage);

/// The region of a stage's heading: a click switches it, dragging sideways moves it in the order of stages.
/// `centers`: of the columns of the stages that are on, in their order. Of a draw that happened nothing can
/// be changed.
HitRegion headingOfStage(const SceneInput& input, const ShownChain& chain, int stage, const Box& box,
                         const std::vector<float>& centers);

}  // namespace glassformer
