#pragma once
#include "app/document/workspace.h"
#include "app/scene/geometry.h"

namespace glassformer {

/// Where the fixed regions of the window lie, in pixels at 100 %. Where the window is too narrow for columns
/// beside the stage they become drawers over it: the inspector first, sooner where two pictures share the
/// stage, then the input too.
struct Layout {
  Box top, left, stage, right, bottom;
  Box lesson;            ///< beside the stage, while one is open
  Box training;          ///< below the stage, while a run is open
  bool narrow = false;   ///< the inspector is a drawer
  bool compact = false;  ///< so is the input

  static constexpr float topHeight = 56;
  static constexpr float leastStage = 320;
  static constexpr float narrowBelow = 1280, narrowForTwoBelow = 1600,
                         compactBelow = 900;  ///< widths of the window
};

/// Whether the inspector is a drawer in a window this wide.
bool isNarrow(float window, const Workspace& workspace);
Layout layoutOf(Point window, const Workspace& workspace);

/// The look with its region sizes within what the window leaves room for.
Look clampedRegions(Look look, Point window);

/// The whole window for the stage, below a heading of this height; the other regions are drawers over it.
Layout presentationLayout(Point window, const Workspace& workspace, float heading);

}  // namespace glassformer
