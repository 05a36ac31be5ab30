#include "app/panels/decoding_controls.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "app/document/decoding_commands.h"
#include "app/document/decoding_numbers.h"
#include "app/document/view_commands.h"
#include "app/panels/number_field.h"
#include "core/decode/sampling.h"

namespace glassformer {

namespace {

constexpr float controlWidth = 84, leastGap = 10, mostGap = 24;

float rounded(float value) { return std::round(value * 100) / 100; }

NumberControl controlOf(const DecodingNumber& number, std::string_view name) {
  return {
      .name = std::string(name),
      .tip = std::string(number.meaning),
      .title = std::string(number.title),
      .words = std::string(number.words),
      .low = number.offered.low,
      .high = number.offered.high,
      .step = number.offered.step,
      .decimals = number.offered.decimals,
      .isAtHand = [&number](const Workspace& w) { return !number.isAtHand || number.isAtHand(w.decoding); },
      .get = [&number](const Workspace& w) { return number.of(w.decoding); },
      .set = [&number](Decoding& d, ViewSettings&, float v) { number.set(d, rounded(v)); }};
}

NumberControl pruned() {
  return {.name = "Pruned",
          .tip = "pruned branches shown per node",
          .low = 0,
          .high = 16,
          .get = [](const Workspace& w) { return static_cast<float>(w.settings.prunedShown); },
          .set = [](Decoding&, ViewSettings& s, float v) { s.prunedShown = static_cast<int>(v); }};
}

NumberControl controlOf(const SamplingStage& stage) {
  return {
      .name = std::string(stage.name),
      .tip = std::string(stage.meaning),
      .title = std::string(stage.name),
      .words = "sampling " + std::string(stage.words),
      .low = stage.low,
      .high = stage.high,
      .step = stage.step,
      .decimals = stage.decimals,
      .atLow = stage.off == 0 ? "off" : "",
      .isAtHand =
          [&stage](const Workspace& w) { return stage.atHand || w.decoding.stages.of(stage) != stage.off; },
      .get = [&stage](const Workspace& w) { return w.decoding.stages.of(stage); },
      .set = [&stage](Decoding& d, ViewSettings&, float v) { d.stages.set(stage, rounded(v)); }};
}

float widthOf(const Ui& ui, const NumberControl& n) {
  return std::ceil(ui.metrics().width(n.name, FontFace::Ui, Theme::small)) + 8 + controlWidth;
}

// What undo calls it: "temperature 0.8".
std::string nameOfChange(const NumberControl& n, const std::string& value) {
  std::string name = n.name;
  name.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(name.front())));
  return name + " " + value;
}

void show(Ui& ui, const NumberControl& n, const Box& box) {
  const widgets::NumberOptions options{.low = n.low,
                                       .high = n.high,
                                       .step = n.step,
                                       .decimals = n.decimals,
                                       .atLow = n.atLow,
                                       .tip = n.tip,
                                       .width = controlWidth};
  const float before = n.get(ui.workspace());
  const float after = widgets::numberField(ui, n.name.c_str(), box, before, options);
  if (after == before) return;
  Decoding decoding = ui.workspace().decoding;
  ViewSettings settings = ui.workspace().settings;
  n.set(decoding, settings, after);
  if (decoding != ui.workspace().decoding)
    ui.emit(commands::setDecoding(decoding, nameOfChange(n, widgets::numberText(after, options)),
                                  "number " + std::to_string(ui.numbers.gesture)));
  if (settings != ui.workspace().settings)
    ui.emit(
        commands::changeSettings([shown = settings.prunedShown](ViewSettings& s) { s.prunedShown = shown; }));
}

// Those that every strategy reads first, and sampling's stages last.
NumberControls numbersOf(DecodingStrategy strategy) {
  NumberControls controls;
  for (const std::optional<DecodingStrategy> reader : {std::optional<DecodingStrategy>(), {strategy}})
    for (const DecodingNumber& number : decodingNumbers())
      if (number.strategy == reader) controls.push_back(controlOf(number, number.name));
  if (strategy != DecodingStrategy::Sampling) return controls;
  for (const bool atHand : {true, false})
    for (const SamplingStage& stage : samplingStages())
      if (stage.atHand == atHand) controls.push_back(controlOf(stage));
  return controls;
}

NumberControls atHand(NumberControls controls, const Workspace& workspace, std::string_view askedFor) {
  std::erase_if(controls, [&](const NumberControl& control) {
    return control.isAtHand && !control.isAtHand(workspace) && askedFor != control.name;
  });
  return controls;
}

}  // namespace

NumberControls shownNumbers(const Workspace& workspace, std::string_view askedFor) {
  return atHand(numbersOf(workspace.decoding.strategy), workspace, askedFor);
}

NumberControls numbersOfTree(const Workspace& workspace, std::string_view askedFor) {
  NumberControls controls;
  for (const DecodingNumber& number : decodingNumbers())
    if (number.strategy.value_or(DecodingStrategy::Beam) == DecodingStrategy::Beam)
      controls.push_back(controlOf(number, number.nameAboveTree));
  const auto picture = workspace.settings.pictures.find("beam");
  if (picture == workspace.settings.pictures.end() || picture->second != "branches")
    controls.push_back(pruned());
  return atHand(std::move(controls), workspace, askedFor);
}

std::vector<DecodingSetting> decodingSettings() {
  using enum DecodingStrategy;
  std::vector<DecodingSetting> settings;
  const auto add = [&](const NumberControl& control, std::vector<DecodingStrategy> readers,
                       std::string_view aboveTree) {
    settings.push_back({control.title, control.words + " " + control.tip, std::move(readers), control.name,
                        std::string(aboveTree)});
  };
  for (const DecodingNumber& number : decodingNumbers())
    add(controlOf(number, number.name),
        number.strategy ? std::vector{*number.strategy} : std::vector{Greedy, Sampling, Beam},
        number.nameAboveTree);
  for (const SamplingStage& stage : samplingStages()) add(controlOf(stage), {Sampling}, stage.name);
  return settings;
}

void askFor(Ui& ui, const DecodingSetting& setting) {
  Decoding decoding = ui.workspace().decoding;
  if (std::ranges::find(setting.strategies, decoding.strategy) == setting.strategies.end()) {
    decoding.strategy = setting.strategies.front();
    ui.emit(commands::setDecoding(decoding, nameOf(decoding.strategy)));
  }
  const bool inTree = ui.workspace().view == "beam" && decoding.strategy == DecodingStrategy::Beam;
  ui.numbers.ask(inTree ? setting.fieldInTree : setting.field);
}

float widthOf(const Ui& ui, const NumberControls& numbers) {
  float sum = -leastGap;
  for (const NumberControl& number : numbers) sum += widthOf(ui, number) + leastGap;
  return sum;
}

void showNumbers(Ui& ui, const NumberControls& numbers, Box row) {
  const float spare =
      (row.width - widthOf(ui, numbers)) / std::max(1.0f, static_cast<float>(numbers.size()) - 1);
  const float gap = std::clamp(leastGap + spare, leastGap, mostGap);
  for (const NumberControl& number : numbers) {
    const float width = widthOf(ui, number);
    if (width > row.width + 1) return;  // a pixel for rounding
    show(ui, number, row.takeLeft(width));
    row.takeLeft(gap);
  }
}

void showAllNumbers(Ui& ui, NumberControls numbers, Box& rest) {
  while (!numbers.empty()) {
    NumberControls row{numbers.front()};
    while (row.size() < numbers.size()) {
      row.push_back(numbers[row.size()]);
      if (widthOf(ui, row) <= rest.width) continue;
      row.pop_back();
      break;
    }
    showNumbers(ui, row, rest.takeTop(Theme::control));
    numbers.erase(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(row.size()));
    if (!numbers.empty()) rest.takeTop(4);
  }
}

std::string_view numberAskedFor(const Ui& ui) {
  return ui.numbers.typing() ? ui.numbers.field : ui.numbers.asked;
}

}  // namespace glassformer
