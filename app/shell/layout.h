#pragma once
#include "app/document/workspace.h"
#include "app/scene/geometry.h"

namespace glassformer {

/// Where the fixed regions of the window lie, in pixels at 100 %.
struct Layout {
  Box top, left, stage, right, bottom;
  bool narrow = false;  ///< the inspector is a drawer over the stage, `right` is where it opens

  static constexpr float topHeight = 56;
  static constexpr float leastStage = 320;
};

Layout layoutOf(Point window, const Appearance& appearance);

/// The appearance with its region sizes within what the window leaves room for.
Appearance clampedRegions(Appearance appearance, Point window);

}  // namespace glassformer
