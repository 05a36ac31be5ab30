#include "app/panels/cover_panel.h"

namespace glassformer {

void CoverPanel::content(Ui& ui, const Box& area) {
  ui.draw(Rect{area.inset(12), ui.theme.panel, ui.theme.line, Theme::radius, 1});
  const bool tall = area.height > 240;
  const auto write = [&](float y, const char* words, const TextStyle& style) {
    ui.drawText({area.center().x, area.center().y + y}, words, style, Align::Middle, area.width - 48);
  };
  const TextStyle quiet{FontFace::Ui, Theme::body, ui.theme.quiet};
  if (!tall) return write(0, "The prediction is hidden for now.", quiet);
  write(0, "Your prediction?", {FontFace::Strong, Theme::large, ui.theme.quiet});
  write(36, "Answer to reveal the picture.", quiet);
}

}  // namespace glassformer
