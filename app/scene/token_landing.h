#pragma once
#include <optional>

#include "app/scene/scene.h"

namespace glassformer {

/// Where a token that is dragged over a picture would land.
struct TokenLanding {
  int gap = 0;  ///< before the token of this number; the last one is the end of the text
  Box mark;     ///< a line between its neighbours
};

/// The gap nearest to a place, beside the token nearest to it; none in a picture without tokens.
std::optional<TokenLanding> tokenLandingAt(const Scene& scene, Point at);

}  // namespace glassformer
