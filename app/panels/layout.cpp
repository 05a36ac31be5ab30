#include "app/panels/layout.h"

#include <algorithm>

#include "app/panels/lesson_panel.h"
#include "app/panels/training_bar.h"
#include "app/views/views.h"

namespace glassformer {

namespace {
// Of the timeline: in a low window only its row of controls, in a very low one not even that.
constexpr float leastBottom = 96, lowBottom = 48, lowBelow = 560, noneBelow = 340;

float lessonWidth(float window, const Workspace& workspace) {
  return workspace.lesson.isOpen() ? std::min(LessonPanel::width, window * 0.36f) : 0;
}
}  // namespace

Look clampedRegions(Look a, Point window) {
  const bool narrow = window.x < Layout::narrowBelow, compact = window.x < Layout::compactBelow;
  const float sides = std::max(window.x - Layout::leastStage, 2 * 200.0f);
  const float mostLeft = compact ? window.x - 48 : narrow ? window.x / 2 : sides / 2;
  const float mostRight = compact ? window.x - 48 : narrow ? window.x / 2 : sides / 2;
  a.leftWidth = std::clamp(a.leftWidth, 200.0f, std::max(200.0f, mostLeft));
  a.rightWidth = std::clamp(a.rightWidth, 240.0f, std::max(240.0f, mostRight));
  a.bottomHeight =
      std::clamp(a.bottomHeight, leastBottom, std::max(leastBottom, (window.y - Layout::topHeight) / 2));
  return a;
}

bool isNarrow(float window, const Workspace& workspace) {
  const bool two = workspace.comparison.isOn() && !asksForDifference(workspace);
  return window - lessonWidth(window, workspace) < (two ? Layout::narrowForTwoBelow : Layout::narrowBelow);
}

Layout layoutOf(Point window, const Workspace& workspace) {
  const Look a = clampedRegions(workspace.look, window);
  Layout layout;
  layout.narrow = isNarrow(window.x, workspace);
  layout.compact = window.x < Layout::compactBelow;
  Box rest{0, 0, window.x, window.y};
  layout.top = rest.takeTop(Layout::topHeight);
  layout.lesson = rest.takeRight(lessonWidth(window.x, workspace));
  Box drawers = rest;
  if (!layout.compact && !a.inputClosed) layout.left = rest.takeLeft(a.leftWidth);
  layout.bottom = rest.takeBottom(window.y < noneBelow || a.timelineClosed ? 0
                                  : window.y < lowBelow                    ? lowBottom
                                                                           : a.bottomHeight);
  if (TrainingBar::isNeeded(workspace)) layout.training = rest.takeBottom(TrainingBar::height);
  if (layout.compact) layout.left = drawers.takeLeft(a.leftWidth);
  Box stage = rest;
  if (layout.narrow || !a.inspectorClosed) layout.right = rest.takeRight(a.rightWidth);
  layout.stage = layout.narrow ? stage : rest;
  return layout;
}

Layout presentationLayout(Point window, const Workspace& workspace, float heading) {
  const Look a = clampedRegions(workspace.look, window);
  Layout layout;
  layout.narrow = layout.compact = true;
  Box rest{0, 0, window.x, window.y};
  layout.lesson = rest.takeRight(lessonWidth(window.x, workspace));
  layout.top = rest.takeTop(heading);
  if (TrainingBar::isNeeded(workspace)) layout.training = rest.takeBottom(TrainingBar::height);
  layout.stage = rest;
  layout.left = rest.takeLeft(std::min(a.leftWidth, rest.width / 2));
  layout.right = rest.takeRight(std::min(a.rightWidth, rest.width / 2));
  return layout;
}

}  // namespace glassformer
