#include "app/panels/inspector_panel.h"

#include "app/panels/widgets.h"
#include "app/scene/format.h"

namespace glassformer {

void InspectorPanel::content(Ui& ui, const Box& area) {
  if (!ui.hover.cell.empty()) last_ = ui.hover;
  Box rest = area.inset(16, 16);
  widgets::heading(ui, {rest.x, rest.y + 8}, "UNDER THE POINTER");
  rest.takeTop(24);
  showNumber(ui, rest);
  ui.draw(Rect{{area.x, area.y, 1, area.height}, ui.theme.line, {0, 0, 0, 0}, 0, 1});
}

void InspectorPanel::showNumber(Ui& ui, Box& rest) {
  const Theme& theme = ui.theme;
  const TensorSources sources = sourcesOf(ui.snapshot);
  const TracePoint* point = last_.cell.empty() ? nullptr : sources.point(last_.cell.tensor);
  const auto value = point ? valueOf(sources, last_.cell) : std::nullopt;
  if (!value) {
    ui.drawText({rest.x, rest.y + 12}, "Point at a number to see where it comes from.",
                {FontFace::Ui, Theme::small, theme.quiet}, Align::Start, rest.width);
    return;
  }
  const auto line = [&](float height, const std::string& text, TextStyle style) {
    const Box row = rest.takeTop(height);
    ui.drawText({row.x, row.center().y}, text, style, Align::Start, row.width);
  };
  line(44, formatted(*value), {FontFace::Mono, Theme::large, theme.text});
  const auto rank = static_cast<int>(point->letters.size());
  line(24, point->name, {FontFace::Mono, Theme::small, theme.text});
  line(24, formattedIndex(last_.cell.index.data(), rank) + "  of  " + point->letters,
       {FontFace::Mono, Theme::small, theme.quiet});
  line(24, point->meaning, {FontFace::Ui, Theme::small, theme.quiet});
  line(32, point->equation, {FontFace::Mono, Theme::small, theme.text});
}

}  // namespace glassformer
