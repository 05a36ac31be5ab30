#include "app/shell/layout.h"

#include "app/panels/top_bar.h"

namespace glassformer {

Appearance clampedRegions(Appearance a, Point window) {
  const bool narrow = window.x < TopBar::drawerBelow;
  const float sides = std::max(window.x - Layout::leastStage, 2 * 200.0f);
  a.leftWidth = std::clamp(a.leftWidth, 200.0f, std::max(200.0f, narrow ? window.x / 2 : sides / 2));
  a.rightWidth = std::clamp(a.rightWidth, 240.0f, std::max(240.0f, narrow ? window.x / 2 : sides / 2));
  a.bottomHeight = std::clamp(a.bottomHeight, 96.0f, std::max(96.0f, (window.y - Layout::topHeight) / 2));
  return a;
}

Layout layoutOf(Point window, const Appearance& wanted) {
  const Appearance a = clampedRegions(wanted, window);
  Layout layout;
  layout.narrow = window.x < TopBar::drawerBelow;
  Box rest{0, 0, window.x, window.y};
  layout.top = rest.takeTop(Layout::topHeight);
  layout.left = rest.takeLeft(a.leftWidth);
  layout.bottom = rest.takeBottom(a.bottomHeight);
  Box stage = rest;
  layout.right = rest.takeRight(a.rightWidth);
  layout.stage = layout.narrow ? stage : rest;
  return layout;
}

}  // namespace glassformer
