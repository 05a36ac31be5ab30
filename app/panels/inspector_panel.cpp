#include "app/panels/inspector_panel.h"

#include "app/panels/widgets.h"
#include "app/scene/compared_side.h"
#include "app/scene/explain.h"
#include "app/scene/format.h"
#include "app/scene/next_token_scene.h"
#include "app/scene/place_names.h"
#include "core/lens/contributions.h"

namespace glassformer {

namespace {

constexpr int nextTokens = 5;
constexpr float inspectorRowHeight = 24, nextHeight = 24 + nextTokens * inspectorRowHeight + 8;

std::string labelAt(const Snapshot& snapshot, Stream stream, int position) {
  const auto i = static_cast<std::size_t>(position);
  const std::vector<TokenPiece>& tokens = snapshot.tokensOf(stream);
  return i < tokens.size() ? "  " + tokens[i].label : "";
}

// The token of a node of the beam tree, or of a step of the continuation.
std::pair<std::string, std::string> indexOfDecoded(const Snapshot& snapshot, const TracePoint& point, int i) {
  const auto at = static_cast<std::size_t>(i);
  const bool beam = point.name.starts_with("beam");
  int token = -1;
  if (beam && snapshot.beam && at < snapshot.beam->nodes.size()) token = snapshot.beam->nodes[at].token;
  if (!beam && at < snapshot.continuation.size()) token = snapshot.continuation[at];
  return {beam ? "node" : "step",
          std::to_string(beam ? i : i + 1) + (token >= 0 ? "  " + snapshot.entryLabel(token) : "")};
}

// Of a loss landscape: the step along one of its directions.
std::pair<std::string, std::string> stepMeaning(const Snapshot& snapshot, char letter, int i) {
  const char* const name = letter == 'U' ? "b" : "a";
  const auto step = valueOf(sourcesOf(snapshot), {std::string("landscape.") + name, {i}});
  return {name, step ? formattedShort(*step) : std::to_string(i)};
}

// What an index of this letter is called, and what it stands for.
std::pair<std::string, std::string> indexMeaning(const Snapshot& snapshot, const TracePoint& point,
                                                 char letter, int i) {
  const bool pair = point.letters.find('S') != std::string::npos;
  switch (letter) {
    case 'T':
      return {pair ? "query" : "position", std::to_string(i) + labelAt(snapshot, point.rows, i)};
    case 'S':
      return {"key", std::to_string(i) + labelAt(snapshot, point.keys, i)};
    case 'H':
      return {"head", std::to_string(i)};
    case 'J':
      return {"tap",
              std::to_string(i) + (i == 0 ? "  the token itself" : "  " + std::to_string(i) + " before")};
    case 'L':
      return {"block", std::to_string(i)};
    case 'P':
      return {"after",
              snapshot.config ? placeWords(stackOf(*snapshot.config, point.rows), i) : std::to_string(i)};
    case 'V':
      return {"token", std::to_string(i) + "  " + snapshot.entryLabel(i)};
    case 'N':
      return indexOfDecoded(snapshot, point, i);
    case 'D':
    case 'K':
      return {"dimension", std::to_string(i)};
    case 'F':
      return {"neuron", std::to_string(i)};
    case 'R':
      return {"rank", std::to_string(i)};
    case 'M':
      return {"part", snapshot.config ? nameOf(contributionPart(*snapshot.config, i)) : std::to_string(i)};
    case 'X':
      return {"distance", std::to_string(i)};
    case 'U':
    case 'W':
      return stepMeaning(snapshot, letter, i);
    case 'C':
      return {"position", std::to_string(i)};
    default:
      return {"", ""};  // 1: nothing to count
  }
}

}  // namespace

void InspectorPanel::content(Ui& ui, const Box& area) {
  if (std::exchange(view_, ui.workspace().view) != ui.workspace().view) last_ = {};
  if (!ui.hover.cell.empty()) last_ = ui.hover;
  Box rest = area.inset(16, 16);
  if (rest.height > nextHeight + 160) showNextTokens(ui, rest.takeBottom(nextHeight));
  widgets::heading(ui, {rest.x, rest.y + 8}, "UNDER THE POINTER");
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
    widgets::paragraph(ui, rest, "Point at a number to see where it comes from.",
                       {FontFace::Ui, Theme::small, theme.quiet});
    return;
  }
  const Box number = rest.takeTop(44);
  ui.drawText({number.x, number.center().y}, formattedValue(point->name, *value),
              {FontFace::Mono, Theme::large, theme.text});
  widgets::paragraph(ui, rest, point->name, {FontFace::Mono, Theme::small, theme.text}, 4);
  showIndices(ui, *point, rest);
  widgets::paragraph(ui, rest, point->meaning, {FontFace::Ui, Theme::small, theme.quiet});
  showEquation(ui, *point, rest);
}

void InspectorPanel::showIndices(Ui& ui, const TracePoint& point, Box& rest) {
  for (std::size_t d = 0; d < point.letters.size(); ++d) {
    const auto [name, meaning] =
        indexMeaning(snapshotOf(ui.snapshot, last_), point, point.letters[d], last_.cell.index[d]);
    if (name.empty() || rest.height < 20) continue;
    const Box row = rest.takeTop(20);
    ui.drawText({row.x, row.center().y}, name, {FontFace::Ui, Theme::small, ui.theme.quiet});
    ui.drawText({row.x + 76, row.center().y}, meaning, {FontFace::Mono, Theme::small, ui.theme.text},
                Align::Start, row.width - 76);
  }
  rest.takeTop(8);
}

void InspectorPanel::showEquation(Ui& ui, const TracePoint& point, Box& rest) {
  const TextStyle style{FontFace::Mono, Theme::small, ui.theme.text};
  widgets::paragraph(ui, rest, point.equation, style, 4);
  const auto explanation = explain(snapshotOf(ui.snapshot, last_), last_);
  if (!explanation) return;
  for (const std::string& line : explanation->lines) widgets::paragraph(ui, rest, line, style, 2);
  if (explanation->overridden)
    widgets::paragraph(ui, rest, "An intervention put another number here.",
                       {FontFace::Ui, Theme::small, ui.theme.broken});
}

void InspectorPanel::showNextTokens(Ui& ui, Box rest) {
  const ScreenMetrics metrics = ui.metrics();
  const Box heading = rest.takeTop(24);
  ui.draw(Rect{{heading.x, heading.y - 12, heading.width, 1}, ui.theme.line, {0, 0, 0, 0}, 0, 1});
  rest.takeTop(4);
  const SceneInput input{ui.workspace(), ui.snapshot, {rest.width, rest.height}, ui.theme, metrics, ui.hover};
  const bool fills = ui.snapshot.config && !ui.snapshot.continues();
  widgets::heading(ui, {heading.x, heading.y + 8}, fills ? "WHAT BELONGS THERE" : "NEXT TOKEN");
  if (!ui.snapshot.hasTrace()) return;
  ui.drawText({heading.right(), heading.y + 8}, (fills ? "" : "after ") + input.label(input.query()),
              {FontFace::Mono, Theme::small - 1, ui.theme.quiet}, Align::End, heading.width - 100);
  next_.show(ui, nextTokenListScene(input, nextTokens), rest);
}

}  // namespace glassformer
