#include "app/panels/check_panel.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/document/comparison_commands.h"
#include "app/document/trace_file.h"
#include "app/panels/widgets.h"
#include "app/scene/text_metrics.h"

namespace glassformer {

namespace {

constexpr float checkRowHeight = 28, checkTitleHeight = 64, checkLine = 22, errorWidth = 84;
constexpr int mostVerdictLines = 5;

// Errors from 1e-8 to 1 in powers of ten.
float barOf(double error) { return std::clamp(static_cast<float>(std::log10(error) + 8) / 8, 0.0f, 1.0f); }

}  // namespace

void CheckPanel::begin(ModelCheck check) {
  check_ = std::move(check);
  rows_.begin();
  open();
}

Box CheckPanel::place(const Ui&, Point window) const {
  const Point size{std::min(window.x - 32, 760.0f), std::min(window.y - 48, 620.0f)};
  return {std::round((window.x - size.x) / 2), std::round((window.y - size.y) / 2), size.x, size.y};
}

std::vector<std::string> CheckPanel::verdict() const {
  std::vector<std::string> lines{check_->verdict()};
  lines.insert(lines.end(), check_->reasons.begin(), check_->reasons.end());
  const std::size_t passed = check_->trace.unknown.size() + check_->trace.otherShape.size();
  if (passed > 0)
    lines.push_back(std::to_string(passed) + (passed == 1 ? " array is" : " arrays are") +
                    " not compared: no trace point has that name and shape");
  return lines;
}

void CheckPanel::content(Ui& ui, const Box& area) {
  const Theme& theme = ui.theme;
  ui.draw(Rect{area, theme.panel, theme.line, 0, 1});
  Box rest = area.inset(16);
  const Box title = rest.takeTop(checkTitleHeight);
  const bool agrees = !check_->first();
  const float look = widgets::buttonWidth(ui, "Open it"),
              compare = widgets::buttonWidth(ui, "See them together");
  ui.drawText({title.x + 8, title.y + 12}, agrees ? check_->model + " agrees" : check_->model + " differs",
              theme.heading(), Align::Start, title.width - 84 - look - compare);
  ui.drawText({title.x + 8, title.y + 40},
              "from " + check_->against.filename().string() + ", point by point in the order of the pass",
              theme.note(), Align::Start, title.width - 84 - look - compare);
  if (widgets::button(ui, "Close##check", {title.right() - 32, title.y, 32, 32},
                      {.icon = "✕", .tip = "close   Esc"}))
    close();
  if (widgets::button(
          ui, "See them together", {title.right() - 56 - look - compare, title.y, compare, 32},
          {.look = widgets::Look::Raised, .tip = "this model's numbers and those, in every view"})) {
    close();
    ui.emit(commands::compareWithTrace(check_->against));
  }
  if (widgets::button(ui, "Open it", {title.right() - 48 - look, title.y, look, 32},
                      {.look = widgets::Look::Raised, .tip = "open it as a model of its own"})) {
    close();
    ui.emit(commands::openTrace(check_->against));
  }
  std::vector<std::string> words;
  for (const std::string& line : verdict())
    for (const std::string& part :
         wrapped(ui.metrics(), line, FontFace::Ui, Theme::small, rest.width - 16, mostVerdictLines))
      words.push_back(part);
  Box foot = rest.takeBottom(16 + checkLine * static_cast<float>(words.size()));
  const auto& points = check_->trace.points;
  rest.takeBottom(16);
  rows_.show(ui, rest, {rest.right(), rest.bottom() + 8}, static_cast<int>(points.size()), checkRowHeight,
             true, [&](int i, const Box& row) { showPoint(ui, points[static_cast<std::size_t>(i)], row); });
  foot.takeTop(16);
  for (const std::string& line : words) {
    const Box place = foot.takeTop(checkLine);
    ui.drawText({place.x + 8, place.center().y}, line, theme.plain(), Align::Start, place.width - 16);
  }
}

void CheckPanel::showPoint(Ui& ui, const PointCheck& point, Box row) const {
  const bool first = &point == check_->first(), beyond = point.error > check_->tolerance;
  const Rgba ink = first ? ui.theme.broken : ui.theme.text;
  const std::string cell = cellWords(point);
  char error[32];
  std::snprintf(error, sizeof error, "%.1e", point.error);
  widgets::listRow(ui, point.name + "##checked", row, first);
  ui.drawText({row.x + 8, row.center().y}, point.name, {FontFace::Mono, Theme::small, ink}, Align::Start,
              row.width * 0.55f);
  ui.drawText({row.right() - 8, row.center().y}, error, {FontFace::Mono, Theme::small, ink}, Align::End);
  const Box bar{row.x + row.width * 0.58f, row.center().y - 4, row.width * 0.42f - errorWidth, 8};
  ui.draw(Rect{bar, ui.theme.raised, {0, 0, 0, 0}, 2, 1});
  ui.draw(Rect{{bar.x, bar.y, bar.width * barOf(point.error), bar.height},
               beyond ? ui.theme.broken : ui.theme.accent,
               {0, 0, 0, 0},
               2,
               1});
}

}  // namespace glassformer
