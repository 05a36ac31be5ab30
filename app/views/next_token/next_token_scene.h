#pragma once
#include "app/drawing/scene_input.h"

namespace glassformer {

/// The few most probable tokens as bars, for beside other pictures.
Scene nextTokenListScene(const SceneInput& input, int count);

/// The `count` most probable tokens of one place of lens.next_token [P, V]; place -1 is the last: the model's
/// own answer. Of equals, the lower id. Of a difference those that change most. Empty without a trace.
std::vector<int> likeliestTokens(const SceneInput& input, int count, int place = -1);
/// The probability of a token at a place.
TensorRef nextTokenRef(int place, int token);

}  // namespace glassformer
