#pragma once
#include "app/drawing/scene_input.h"

namespace glassformer {

/// Two texts token by token: in each row what corresponds, with both ids, and how much more or less probable
/// the token of the first text was, p_a − p_b. What both texts share is quiet. Beside it the words of both at
/// the selected place with their merges, and the difference of their rows of the embedding. Merges are rules
/// and have no difference: they stand one above the other.
Scene tokenDifferenceScene(const SceneInput& input);

}  // namespace glassformer
