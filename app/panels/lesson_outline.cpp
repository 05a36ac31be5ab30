#include "app/panels/lesson_outline.h"

#include "app/lesson/lesson_walk.h"
#include "app/panels/input_panel.h"

namespace glassformer {

void drawLessonOutline(const Ui& ui, const Layout& layout) {
  if (!ui.lesson) return;
  const auto step = static_cast<std::size_t>(stepOf(*ui.lesson, ui.workspace()));
  const std::string& region = ui.lesson->steps[step].outline;
  if (region.empty()) return;
  Box above = layout.left;  // the rest is the map of the model
  const Box input = above.takeTop(InputPanel::textBottom(layout.left));
  const Box box = region == "input"   ? input
                  : region == "map"   ? above
                  : region == "stage" ? layout.stage
                  : region == "views" ? layout.top
                                      : layout.bottom;
  if (box.width > 1 && box.height > 1)
    ui.painter.paint(ImGui::GetForegroundDrawList(),
                     Rect{box.inset(2), {0, 0, 0, 0}, ui.theme.accent, Theme::radius, 2}, {{0, 0}, ui.scale});
}

}  // namespace glassformer
