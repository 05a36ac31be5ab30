#include "app/panels/cover_panel.h"

namespace glassformer {

void CoverPanel::content(Ui& ui, const Box& area) {
  ui.draw(Rect{area.inset(12), ui.theme.panel, ui.theme.line, Theme::radius, 1});
  const bool tall = area.height > 240;
  ui.drawText(area.center(), tall ? "What do you expect?" : "…",
              {FontFace::Strong, tall ? Theme::large : Theme::body, ui.theme.quiet}, Align::Middle,
              area.width - 48);
  if (tall)
    ui.drawText({area.center().x, area.center().y + 36}, "It is uncovered once you have answered.",
                {FontFace::Ui, Theme::body, ui.theme.quiet}, Align::Middle, area.width - 48);
}

}  // namespace glassformer
