#include "app/panels/inspector_panel.h"

#include <algorithm>
#include <sstream>
#include <tuple>
#include <utility>
#include <vector>

#include "app/document/selection_commands.h"
#include "app/drawing/compared_side.h"
#include "app/explain/explain.h"
#include "app/explain/index_meaning.h"
#include "app/explain/value_words.h"
#include "app/lesson/lesson_walk.h"
#include "app/panels/pinned_numbers.h"
#include "app/panels/widgets.h"
#include "app/scene/format.h"
#include "app/views/next_token/next_token_scene.h"

namespace glassformer {

namespace {

constexpr int nextTokens = 5;
constexpr float inspectorRowHeight = 24, nextHeight = 24 + nextTokens * inspectorRowHeight + 8;

}  // namespace

void InspectorPanel::content(Ui& ui, const Box& area) {
  const auto& [pictures, choices] =
      std::tie(ui.workspace().settings.pictures, ui.workspace().settings.choices);
  const bool isSameView = std::exchange(view_, ui.workspace().view) == ui.workspace().view;
  const bool isSamePicture = std::exchange(pictures_, pictures) == pictures;
  const bool isSameChoice = std::exchange(choices_, choices) == choices;
  const int step = ui.workspace().lesson.step;
  const bool isSameStep = std::exchange(lessonStep_, step) == step;
  if (!isSameView || !isSamePicture || !isSameChoice || !isSameStep)
    last_ = {};  // what the pointer is on was found in the picture before
  else if (!ui.hover.cell.empty())
    last_ = ui.hover;
  Box rest = area.inset(16, 16);
  const bool saysNext = !coveredNow(ui.lesson.get(), ui.workspace()).next;
  if (saysNext && rest.height > nextHeight + 160) showNextTokens(ui, rest.takeBottom(nextHeight));
  if (const float pinned = std::min(pinnedHeight(ui.workspace()), rest.height * 0.6f); pinned > 0) {
    showPinned(ui, rest.takeBottom(pinned));
    rest.takeBottom(12);
  }
  widgets::heading(ui, {rest.x, rest.y + 8}, "VALUE");
  rest.takeTop(24);
  showNumber(ui, rest);
  ui.draw(Rect{{area.x, area.y, 1, area.height}, ui.theme.line, {0, 0, 0, 0}, 0, 1});
}

void InspectorPanel::showNumber(Ui& ui, Box& rest) {
  const Theme& theme = ui.theme;
  const TensorSources sources = sourcesOf(snapshotOf(ui.snapshot, last_));
  const TracePoint* point = last_.cell.empty() ? nullptr : sources.point(last_.cell.tensor);
  const auto value = point ? valueOf(sources, last_.cell) : std::nullopt;
  if (!value) {
    widgets::paragraph(ui, rest, "Point at a number to see how it is computed.", theme.note());
    return;
  }
  const Box number = rest.takeTop(44);
  ui.drawText({number.x, number.center().y}, valueWords(sources, point->name, *value),
              {FontFace::Mono, Theme::large, theme.text});
  std::istringstream said(last_.text);
  for (std::string line; std::getline(said, line);) widgets::paragraph(ui, rest, line, theme.plain(), 4);
  showIndices(ui, *point, rest);
  widgets::paragraph(ui, rest, point->meaning, theme.note());
  showEquation(ui, *point, rest);
  const auto rank = static_cast<int>(point->letters.size());
  widgets::paragraph(ui, rest, point->name + " " + formattedIndex(last_.cell.index.data(), rank),
                     theme.quietMono());
}

void InspectorPanel::showIndices(Ui& ui, const TracePoint& point, Box& rest) {
  const Snapshot& snapshot = snapshotOf(ui.snapshot, last_);
  constexpr float gap = 12;
  std::vector<std::pair<std::string, std::string>> meanings;
  float names = 64;
  for (int d = 0; d < static_cast<int>(point.letters.size()); ++d) {
    meanings.push_back(indexMeaning(snapshot, point, d, last_.cell.index[static_cast<std::size_t>(d)]));
    const TextStyle style = ui.theme.note();
    names = std::max(names, ui.metrics().width(meanings.back().first, style.face, style.size));
  }
  for (const auto& [name, meaning] : meanings) {
    if (name.empty() || rest.height < 20) continue;
    Box row = rest.takeTop(20);
    const Box left = row.takeLeft(names + gap);
    ui.drawText({left.x, left.center().y}, name, ui.theme.note());
    ui.drawText({row.x, row.center().y}, meaning, ui.theme.mono(), Align::Start, row.width);
  }
  rest.takeTop(8);
}

void InspectorPanel::showEquation(Ui& ui, const TracePoint& point, Box& rest) {
  widgets::paragraph(ui, rest, point.equation, ui.theme.mono(), 4);
  const auto explanation = explain(snapshotOf(ui.snapshot, last_), last_);
  if (!explanation) return;
  for (const std::string& line : explanation->lines) widgets::paragraph(ui, rest, line, ui.theme.mono(), 2);
  if (explanation->overridden)
    widgets::paragraph(ui, rest, "An intervention set this value.",
                       {FontFace::Ui, Theme::small, ui.theme.broken});
}

void InspectorPanel::showNextTokens(Ui& ui, Box rest) {
  const ScreenMetrics metrics = ui.metrics();
  Box heading = rest.takeTop(24);
  ui.draw(Rect{{heading.x, heading.y - 12, heading.width, 1}, ui.theme.line, {0, 0, 0, 0}, 0, 1});
  rest.takeTop(4);
  const SceneInput input{ui.workspace(), ui.snapshot, {rest.width, rest.height}, ui.theme, metrics, ui.hover};
  const bool fills = ui.snapshot.model->config && !ui.snapshot.model->continues();
  widgets::heading(ui, {heading.x, heading.y + 8}, fills ? "MASK PREDICTION" : "NEXT TOKEN");
  if (!ui.snapshot.pass->hasTrace()) return;
  if (ui.workspace().selection.query >= 0) {
    const Box button = heading.takeRight(24);
    if (widgets::button(ui, "Deselect token", {button.x, button.y - 4, 24, 24},
                        {.icon = "✕", .tip = "Back to the last token   Esc"}))
      ui.emit(commands::letTokensGo());
  }
  ui.drawText({heading.right(), heading.y + 8}, (fills ? "" : "after ") + input.label(input.query()),
              {FontFace::Mono, Theme::small - 1, ui.theme.quiet}, Align::End, heading.width - 100);
  next_.show(ui, nextTokenListScene(input, nextTokens), rest);
}

}  // namespace glassformer
