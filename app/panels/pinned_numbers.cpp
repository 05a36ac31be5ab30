#include "app/panels/pinned_numbers.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/document/view_commands.h"
#include "app/drawing/compared_side.h"
#include "app/explain/index_meaning.h"
#include "app/explain/provenance.h"
#include "app/explain/value_words.h"
#include "app/panels/opened_passes.h"
#include "app/panels/widgets.h"
#include "app/scene/format.h"

namespace glassformer {

namespace {

constexpr float pinHeadingHeight = 28, pinHeight = 44, pinsFoot = 16, unpinWidth = 28;

TensorRef cellOf(const Pin& pin) { return {.tensor = pin.point, .index = pin.index}; }

// Of the other text, or of the same one computed otherwise; nothing where none is compared.
std::optional<float> comparedValue(const Ui& ui, const Pin& pin) {
  if (pin.in) return std::nullopt;  // the passes of the shown text were run again
  Target other;
  other.source = Target::Source::Other;
  const Snapshot& snapshot = snapshotOf(ui.snapshot, other);
  if (&snapshot == &ui.snapshot) return std::nullopt;
  const auto number = namedNumber(snapshot, cellOf(pin));
  return number ? std::optional(number->value) : std::nullopt;
}

// What a number is held against: "other 0.9921", or "Δ −0.130" from the first one.
std::string besideWords(Ui& ui, std::size_t i, float value) {
  const std::vector<Pin>& pins = ui.workspace().pins;
  if (const auto other = comparedValue(ui, pins[i])) return "other " + formattedValue(pins[i].point, *other);
  const Snapshot* const pass = i == 0 ? nullptr : ui.passes.passOf(ui, pins.front());
  const auto first = pass ? namedNumber(*pass, cellOf(pins.front())) : std::nullopt;
  if (!first) return "";
  const float by = value - first->value;
  if (std::isnan(by)) return "";
  return "Δ " + std::string(by > 0 ? "+" : "") + formatted(by);
}

void showPin(Ui& ui, Box box, std::size_t i) {
  const Theme& theme = ui.theme;
  const Pin& pin = ui.workspace().pins[i];
  const std::string id = std::to_string(i) + "##pin";
  const Box cross = box.takeRight(unpinWidth);
  if (widgets::button(ui, ("Unpin " + id).c_str(), {cross.x, cross.y + 8, unpinWidth, 28},
                      {.icon = "✕", .tip = "Unpin"}))
    ui.emit(commands::togglePin(pin));
  const bool wasAnimating = std::exchange(ui.animating, false);
  const Snapshot* const pass = ui.passes.passOf(ui, pin);
  const bool isRunning = std::exchange(ui.animating, ui.animating || wasAnimating);
  const auto number = pass ? namedNumber(*pass, cellOf(pin)) : std::nullopt;
  const bool clicked = widgets::listRow(ui, "Pinned " + id, box, false);
  if (number && ImGui::IsItemHovered() && !pin.in) ui.nextHover = targetOf(ui.snapshot, cellOf(pin));
  if (number && clicked && pin.in) ui.whyPin = pin;
  if (number && clicked && !pin.in) ui.why = targetOf(ui.snapshot, cellOf(pin));
  const TextStyle mono{FontFace::Mono, Theme::small - 1, theme.text}, quiet = theme.note();
  Box lines = box.inset(4, 2);
  const auto line = [&](Box row, const std::string& left, TextStyle style, const std::string& right,
                        TextStyle rightStyle) {
    const float width = right.empty() ? 0 : ui.metrics().width(right, rightStyle.face, rightStyle.size) + 8;
    ui.drawText({row.right(), row.center().y}, right, rightStyle, Align::End);
    ui.drawText({row.x, row.center().y}, left, style, Align::Start, row.width - width);
  };
  if (!number) {
    line(lines.takeTop(20), pin.point, mono, "", mono);
    return line(lines.takeTop(20), isRunning ? "its pass is run again …" : "no such value here", quiet, "",
                quiet);
  }
  line(lines.takeTop(20), number->point->name, mono,
       valueWords(sourcesOf(*pass), number->point->name, number->value),
       {FontFace::Mono, Theme::body, theme.text});
  const std::string in = pin.in ? pass->pass->name + ": " : "";
  line(lines.takeTop(20), in + indexMeanings(*pass, *number->point, cellOf(pin)), quiet,
       besideWords(ui, i, number->value), theme.quietMono());
}

}  // namespace

Pin pinOf(const TensorRef& cell) { return {cell.tensor, cell.index}; }

float pinnedHeight(const Workspace& workspace) {
  return workspace.pins.empty()
             ? 0
             : pinHeadingHeight + static_cast<float>(workspace.pins.size()) * pinHeight + pinsFoot;
}

void showPinned(Ui& ui, Box area) {
  const std::size_t count = ui.workspace().pins.size();
  area.takeBottom(pinsFoot);
  const Box heading = area.takeTop(pinHeadingHeight);
  widgets::heading(ui, {heading.x, heading.y + 8}, "PINNED");
  const std::size_t rows =
      std::min(count, static_cast<std::size_t>(std::max(0.0f, area.height / pinHeight + 0.01f)));
  for (std::size_t i = 0; i < rows; ++i) showPin(ui, area.takeTop(pinHeight), i);
  if (rows < count)
    ui.drawText({heading.right(), heading.y + 8}, "▾ " + std::to_string(count - rows) + " more",
                ui.theme.note(), Align::End);
}

}  // namespace glassformer
