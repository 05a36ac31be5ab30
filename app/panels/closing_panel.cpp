#include "app/panels/closing_panel.h"

#include <algorithm>

#include "app/panels/widgets.h"

namespace glassformer {

Box ClosingPanel::place(const Ui&, Point window) const {
  const float width = std::min(480.0f, window.x - 32), height = 168;
  return {(window.x - width) / 2, (window.y - height) / 2, width, height};
}

void ClosingPanel::content(Ui& ui, const Box& area) {
  ui.draw(Rect{area, ui.theme.panel, ui.theme.line, 0, 1});
  Box rest = area.inset(24, 20);
  Box row = rest.takeBottom(Theme::control);
  ui.drawText({rest.x, rest.y + 8}, "A model is being trained", ui.theme.heading());
  rest.takeTop(32);
  widgets::paragraph(ui, rest, "The weights are saved. The run is paused until you start it again.",
                     ui.theme.note());
  const auto button = [&](const char* label, widgets::Look look) {
    const bool pressed =
        widgets::button(ui, label, row.takeRight(widgets::buttonWidth(ui, label)), {.look = look});
    row.takeRight(8);
    return pressed;
  };
  if (button("Pause and close", widgets::Look::Primary)) confirmed_ = true, close();
  if (button("Keep training", widgets::Look::Raised)) close();
}

}  // namespace glassformer
