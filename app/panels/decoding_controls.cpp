#include "app/panels/decoding_controls.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "app/panels/number_field.h"

namespace glassformer {

namespace {

constexpr float controlWidth = 84, leastGap = 10, mostGap = 24;

float rounded(float value) { return std::round(value * 100) / 100; }

// One line per control: what it is called, its limits, and which field it shows and sets.
struct Description {
  const char* name;
  const char* tip;
  float low, high, step;
  int decimals;
  const char* atLow;  ///< what the lowest value is called, where it has a name; else ""
  float (*get)(const Workspace&);
  void (*set)(Decoding&, ViewSettings&, float);
};

constexpr std::array descriptions{
    Description{"Tokens", "how many tokens to look ahead", 1, 64, 1, 0, "",
                [](const Workspace& w) { return static_cast<float>(w.decoding.depth); },
                [](Decoding& d, ViewSettings&, float v) { d.depth = static_cast<int>(v); }},
    Description{"Width", "hypotheses that go on at each step", 1, 32, 1, 0, "",
                [](const Workspace& w) { return static_cast<float>(w.decoding.beamWidth); },
                [](Decoding& d, ViewSettings&, float v) { d.beamWidth = static_cast<int>(v); }},
    Description{"Depth", "how many tokens to look ahead", 1, 64, 1, 0, "",
                [](const Workspace& w) { return static_cast<float>(w.decoding.depth); },
                [](Decoding& d, ViewSettings&, float v) { d.depth = static_cast<int>(v); }},
    Description{"Length penalty", "α: hypotheses of n tokens are ranked by log P / nᵅ", 0, 2, 0.1f, 1, "",
                [](const Workspace& w) { return w.decoding.lengthPenalty; },
                [](Decoding& d, ViewSettings&, float v) { d.lengthPenalty = rounded(v); }},
    Description{"Pruned", "pruned branches shown per node", 0, 16, 1, 0, "",
                [](const Workspace& w) { return static_cast<float>(w.settings.prunedShown); },
                [](Decoding&, ViewSettings& s, float v) { s.prunedShown = static_cast<int>(v); }},
    Description{"Temperature", "p = softmax(z / τ): below 1 sharper, above 1 flatter", 0.1f, 3, 0.1f, 1, "",
                [](const Workspace& w) { return w.decoding.temperature; },
                [](Decoding& d, ViewSettings&, float v) { d.temperature = rounded(v); }},
    Description{"Top-k", "only the k most probable tokens stay, p = 0 for all others", 0, 100, 1, 0, "off",
                [](const Workspace& w) { return static_cast<float>(w.decoding.topK); },
                [](Decoding& d, ViewSettings&, float v) { d.topK = static_cast<int>(v); }},
    Description{"Top-p", "only the fewest tokens whose probabilities reach p in sum; 1 keeps all", 0.05f, 1,
                0.05f, 2, "", [](const Workspace& w) { return w.decoding.topP; },
                [](Decoding& d, ViewSettings&, float v) { d.topP = rounded(v); }},
    Description{"Seed", "the same seed draws the same tokens", 0, 9999, 1, 0, "",
                [](const Workspace& w) { return static_cast<float>(w.decoding.seed); },
                [](Decoding& d, ViewSettings&, float v) { d.seed = static_cast<std::uint64_t>(v); }},
};

const Description& describe(DecodingControl control) {
  return descriptions[static_cast<std::size_t>(control)];
}

float widthOf(const Ui& ui, const Description& d) {
  return std::ceil(ui.metrics().width(d.name, FontFace::Ui, Theme::small)) + 8 + controlWidth;
}

// What undo calls it: "temperature 0.8".
std::string nameOfChange(const Description& d, const std::string& value) {
  std::string name = d.name;
  name.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(name.front())));
  return name + " " + value;
}

void show(Ui& ui, const Description& d, const Box& box) {
  const widgets::NumberOptions options{.low = d.low,
                                       .high = d.high,
                                       .step = d.step,
                                       .decimals = d.decimals,
                                       .atLow = d.atLow,
                                       .tip = d.tip,
                                       .width = controlWidth};
  const float before = d.get(ui.workspace());
  const float after = widgets::numberField(ui, d.name, box, before, options);
  if (after == before) return;
  Decoding decoding = ui.workspace().decoding;
  ViewSettings settings = ui.workspace().settings;
  d.set(decoding, settings, after);
  if (decoding != ui.workspace().decoding)
    ui.emit(commands::setDecoding(decoding, nameOfChange(d, widgets::numberText(after, options)),
                                  "number " + std::to_string(ui.numbers.gesture)));
  if (settings != ui.workspace().settings) ui.emit(commands::setPrunedShown(settings.prunedShown));
}

}  // namespace

std::vector<DecodingControl> controlsOf(DecodingStrategy strategy) {
  using enum DecodingControl;
  switch (strategy) {
    case DecodingStrategy::Greedy:
      return {Tokens};
    case DecodingStrategy::Sampling:
      return {Tokens, Temperature, TopK, TopP, Seed};
    case DecodingStrategy::Beam:
      return {Tokens, Width, LengthPenalty};
  }
  return {};
}

std::vector<DecodingControl> treeControls() {
  using enum DecodingControl;
  return {Width, Depth, LengthPenalty, Pruned};
}

std::vector<DecodingSetting> decodingSettings() {
  using enum DecodingStrategy;
  const auto setting = [](const char* title, std::vector<DecodingStrategy> strategies,
                          DecodingControl control, DecodingControl inTree, const std::string& words) {
    return DecodingSetting{title, words + " " + describe(control).tip, std::move(strategies),
                           describe(control).name, describe(inTree).name};
  };
  using enum DecodingControl;
  return {setting("Temperature", {Sampling}, Temperature, Temperature, "sampling random"),
          setting("Top-k", {Sampling}, TopK, TopK, "sampling"),
          setting("Top-p", {Sampling}, TopP, TopP, "sampling nucleus"),
          setting("Seed of sampling", {Sampling}, Seed, Seed, "random"),
          setting("Width of the beam", {Beam}, Width, Width, "hypotheses"),
          setting("Length penalty", {Beam}, LengthPenalty, LengthPenalty, "beam alpha"),
          setting("Depth: tokens ahead", {Greedy, Sampling, Beam}, Tokens, Depth, "length horizon")};
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

float widthOf(const Ui& ui, const std::vector<DecodingControl>& controls) {
  float sum = -leastGap;
  for (const DecodingControl control : controls) sum += widthOf(ui, describe(control)) + leastGap;
  return sum;
}

void showControls(Ui& ui, const std::vector<DecodingControl>& controls, Box row) {
  const float spare =
      (row.width - widthOf(ui, controls)) / std::max(1.0f, static_cast<float>(controls.size()) - 1);
  const float gap = std::clamp(leastGap + spare, leastGap, mostGap);
  for (const DecodingControl control : controls) {
    const float width = widthOf(ui, describe(control));
    if (width > row.width + 1) return;  // a pixel for rounding
    show(ui, describe(control), row.takeLeft(width));
    row.takeLeft(gap);
  }
}

}  // namespace glassformer
