#include "app/panels/history_panel.h"

#include <algorithm>
#include <cmath>

#include "app/document/text_edit.h"
#include "app/panels/widgets.h"

namespace glassformer {

namespace {
constexpr float historyRowHeight = 32, historyTitleHeight = 56;
}

Box HistoryPanel::place(const Ui& ui, Point window) const {
  const float width = std::min(560.0f, window.x - 32);
  const float rows = static_cast<float>(std::clamp(ui.history.stateCount(), 1, 14));
  const float height = std::min(historyTitleHeight + rows * historyRowHeight + 16, window.y - 32);
  return {(window.x - width) / 2, std::min(72.0f, (window.y - height) / 2), width, height};
}

void HistoryPanel::content(Ui& ui, const Box& area) {
  const Theme& theme = ui.theme;
  ui.draw(Rect{area, theme.panel, theme.line, 0, 1});
  Box rest = area.inset(8, 8);
  const Box title = rest.takeTop(historyTitleHeight - 8);
  ui.drawText({title.x + 12, title.y + 20}, "History", theme.heading());
  if (widgets::button(ui, "Close##history", {title.right() - 36, title.y, 32, 32},
                      {.icon = "✕", .tip = "close   Esc"}))
    close();
  const History& history = ui.history;
  const int count = history.stateCount(),
            rows = std::max(1, static_cast<int>(rest.height / historyRowHeight));
  if (justOpened()) first_ = history.state() - rows / 2;
  first_ -= static_cast<int>(std::lround(ImGui::GetIO().MouseWheel * 2));
  first_ = std::clamp(first_, 0, std::max(0, count - rows));
  for (int i = first_; i < std::min(count, first_ + rows); ++i) {
    const Box row = rest.takeTop(historyRowHeight);
    const std::string name = history.stateName(i), id = name + "##state" + std::to_string(i);
    const bool clicked = widgets::listRow(ui, id, row, i == history.state());
    const bool ahead = i > history.state();
    ui.drawText({row.x + 12, row.center().y}, name,
                {FontFace::Ui, Theme::small, ahead ? theme.quiet : theme.text}, Align::Start, 132);
    std::string text = displayable(history.stateText(i).substr(0, 400));
    std::replace(text.begin(), text.end(), '\n', ' ');
    ui.drawText({row.x + 156, row.center().y}, text, theme.quietMono(), Align::Start, row.width - 168);
    if (clicked) ui.goToState = i;
  }
}

}  // namespace glassformer
