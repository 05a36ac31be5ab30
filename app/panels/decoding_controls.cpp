#include "app/panels/decoding_controls.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "app/document/decoding_commands.h"
#include "app/document/view_commands.h"
#include "app/panels/number_field.h"
#include "core/decode/sampling.h"

namespace glassformer {

namespace {

constexpr float controlWidth = 84, leastGap = 10, mostGap = 24;

float rounded(float value) { return std::round(value * 100) / 100; }

// A member of the decoding, counted in whole numbers.
template <typename Integer>
DecodingNumber counted(DecodingNumber number, Integer Decoding::*member) {
  number.get = [member](const Workspace& w) { return static_cast<float>(w.decoding.*member); };
  number.set = [member](Decoding& d, ViewSettings&, float v) { d.*member = static_cast<Integer>(v); };
  return number;
}

DecodingNumber ahead(const char* name) {
  return counted({.name = name,
                  .tip = "how many tokens to look ahead",
                  .title = "Depth: tokens ahead",
                  .words = "length horizon",
                  .low = 1,
                  .high = 64},
                 &Decoding::depth);
}

DecodingNumber width() {
  return counted({.name = "Width",
                  .tip = "hypotheses that go on at each step",
                  .title = "Width of the beam",
                  .words = "hypotheses",
                  .low = 1,
                  .high = 32},
                 &Decoding::beamWidth);
}

DecodingNumber seed() {
  return counted({.name = "Seed",
                  .tip = "the same seed draws the same tokens",
                  .title = "Seed of sampling",
                  .words = "random",
                  .low = 0,
                  .high = 9999},
                 &Decoding::seed);
}

DecodingNumber lengthPenalty() {
  return {.name = "Length penalty",
          .tip = "α: hypotheses of n tokens are ranked by log P / nᵅ",
          .title = "Length penalty",
          .words = "beam alpha",
          .low = 0,
          .high = 2,
          .step = 0.1f,
          .decimals = 1,
          .get = [](const Workspace& w) { return w.decoding.lengthPenalty; },
          .set = [](Decoding& d, ViewSettings&, float v) { d.lengthPenalty = rounded(v); }};
}

DecodingNumber siblingPenalty() {
  return {.name = "Siblings",
          .tip =
              "γ: the k-th best of one hypothesis is ranked γ (k − 1) lower, so that siblings do not fill "
              "the beam",
          .title = "Sibling penalty: diversity of the beam",
          .words = "beam gamma diverse",
          .low = 0,
          .high = 8,
          .step = 0.25f,
          .decimals = 2,
          .get = [](const Workspace& w) { return w.decoding.siblingPenalty; },
          .set = [](Decoding& d, ViewSettings&, float v) { d.siblingPenalty = rounded(v); }};
}

DecodingNumber pruned() {
  return {.name = "Pruned",
          .tip = "pruned branches shown per node",
          .low = 0,
          .high = 16,
          .get = [](const Workspace& w) { return static_cast<float>(w.settings.prunedShown); },
          .set = [](Decoding&, ViewSettings& s, float v) { s.prunedShown = static_cast<int>(v); }};
}

DecodingNumber numberOf(const SamplingStage& stage) {
  return {.name = std::string(stage.name),
          .tip = std::string(stage.meaning),
          .title = std::string(stage.name),
          .words = "sampling " + std::string(stage.words),
          .low = stage.low,
          .high = stage.high,
          .step = stage.step,
          .decimals = stage.decimals,
          .atLow = stage.off == 0 ? "off" : "",
          .get = [&stage](const Workspace& w) { return w.decoding.stages.of(stage); },
          .set = [&stage](Decoding& d, ViewSettings&, float v) { d.stages.set(stage, rounded(v)); }};
}

float widthOf(const Ui& ui, const DecodingNumber& n) {
  return std::ceil(ui.metrics().width(n.name, FontFace::Ui, Theme::small)) + 8 + controlWidth;
}

// What undo calls it: "temperature 0.8".
std::string nameOfChange(const DecodingNumber& n, const std::string& value) {
  std::string name = n.name;
  name.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(name.front())));
  return name + " " + value;
}

void show(Ui& ui, const DecodingNumber& n, const Box& box) {
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

}  // namespace

DecodingNumbers numbersOf(DecodingStrategy strategy) {
  DecodingNumbers numbers{ahead("Tokens")};
  if (strategy == DecodingStrategy::Sampling) {
    numbers.push_back(seed());
    for (const bool atHand : {true, false})
      for (const SamplingStage& stage : samplingStages())
        if (stage.atHand == atHand) numbers.push_back(numberOf(stage));
  }
  if (strategy == DecodingStrategy::Beam)
    for (const DecodingNumber& n : {width(), lengthPenalty(), siblingPenalty()}) numbers.push_back(n);
  return numbers;
}

namespace {
void leaveOutSiblings(DecodingNumbers& numbers, const Decoding& decoding, std::string_view askedFor) {
  const std::string name = siblingPenalty().name;
  if (decoding.siblingPenalty == 0 && askedFor != name)
    std::erase_if(numbers, [&](const DecodingNumber& n) { return n.name == name; });
}
}  // namespace

DecodingNumbers shownNumbers(const Decoding& decoding, std::string_view askedFor) {
  DecodingNumbers numbers = numbersOf(decoding.strategy);
  for (const SamplingStage& stage : samplingStages())
    if (!stage.atHand && decoding.stages.of(stage) == stage.off && askedFor != stage.name)
      std::erase_if(numbers, [&](const DecodingNumber& n) { return n.name == stage.name; });
  leaveOutSiblings(numbers, decoding, askedFor);
  return numbers;
}

DecodingNumbers numbersOfTree(const Workspace& workspace, std::string_view askedFor) {
  DecodingNumbers numbers{width(), ahead("Depth"), lengthPenalty(), siblingPenalty()};
  leaveOutSiblings(numbers, workspace.decoding, askedFor);
  const auto picture = workspace.settings.pictures.find("beam");
  if (picture == workspace.settings.pictures.end() || picture->second != "branches")
    numbers.push_back(pruned());
  return numbers;
}

std::vector<DecodingSetting> decodingSettings() {
  using enum DecodingStrategy;
  const auto setting = [](const DecodingNumber& n, std::vector<DecodingStrategy> strategies,
                          const std::string& inTree) {
    return DecodingSetting{n.title, n.words + " " + n.tip, std::move(strategies), n.name, inTree};
  };
  std::vector<DecodingSetting> settings{setting(ahead("Tokens"), {Greedy, Sampling, Beam}, "Depth")};
  for (const DecodingStrategy strategy : {Sampling, Beam})
    for (const DecodingNumber& n : numbersOf(strategy))
      if (n.name != "Tokens") settings.push_back(setting(n, {strategy}, n.name));
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

float widthOf(const Ui& ui, const DecodingNumbers& numbers) {
  float sum = -leastGap;
  for (const DecodingNumber& number : numbers) sum += widthOf(ui, number) + leastGap;
  return sum;
}

void showNumbers(Ui& ui, const DecodingNumbers& numbers, Box row) {
  const float spare =
      (row.width - widthOf(ui, numbers)) / std::max(1.0f, static_cast<float>(numbers.size()) - 1);
  const float gap = std::clamp(leastGap + spare, leastGap, mostGap);
  for (const DecodingNumber& number : numbers) {
    const float width = widthOf(ui, number);
    if (width > row.width + 1) return;  // a pixel for rounding
    show(ui, number, row.takeLeft(width));
    row.takeLeft(gap);
  }
}

void showAllNumbers(Ui& ui, DecodingNumbers numbers, Box& rest) {
  while (!numbers.empty()) {
    DecodingNumbers row{numbers.front()};
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
