#include "app/panels/lesson_outline.h"

#include "app/lesson/lesson_walk.h"

namespace glassformer {

void drawLessonOutline(const Ui& ui, const Layout& layout, const InputPanel& input, bool showsInput) {
  if (!ui.lesson) return;
  const auto step = static_cast<std::size_t>(stepOf(*ui.lesson, ui.workspace()));
  const std::string& region = ui.lesson->steps[step].outline;
  if (region.empty()) return;
  if (!showsInput && (region == "input" || region == "map")) return;
  const Box box = region == "input"   ? input.texts()
                  : region == "map"   ? input.map()
                  : region == "stage" ? layout.stage
                  : region == "views" ? layout.top
                                      : layout.bottom;
  if (box.width > 1 && box.height > 1)
    ui.painter.paint(ImGui::GetForegroundDrawList(),
                     Rect{box.inset(2), {0, 0, 0, 0}, ui.theme.accent, Theme::radius, 2}, {{0, 0}, ui.scale});
}

}  // namespace glassformer
