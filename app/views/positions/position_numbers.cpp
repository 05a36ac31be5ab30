#include "app/views/positions/position_numbers.h"

#include <array>

#include "app/document/position_hands.h"
#include "app/document/view_commands.h"
#include "core/lens/positions.h"

namespace glassformer {

namespace {

// Small shifts one by one, as far as a table reaches.
constexpr std::array shiftRungs{1.f,  2.f,  3.f,  4.f,   6.f,   8.f,   12.f,  16.f,  24.f,  32.f,
                                48.f, 64.f, 96.f, 128.f, 192.f, 256.f, 384.f, 512.f, 768.f, 1024.f};

bool hasTable(const SceneInput& input) {
  const auto& measured = input.snapshot.model->measurements;
  return measured && measured->contains("positions.sinusoidal");
}

}  // namespace

PictureNumbers baseNumbers(const SceneInput& input) {
  if (!hasTable(input)) return {};
  const ModelConfig& config = input.config();
  const auto& loaded = input.snapshot.model->loadedConfig;
  if (ownBase(config) && (!loaded || input.snapshot.training->run)) return {};
  return {{.name = "Base N",
           .tip = "N of sin(t / N^(2i/D)): the slowest pair takes 2πN positions for a turn, nearly",
           .value = shownBase(input.workspace.settings.positions, config),
           .low = leastBase,
           .high = mostBase,
           .rungs = baseRungs,
           .set = [config, loaded = loaded.value_or(config), changes = input.workspace.changes](
                      float base, const std::string&, const std::string& gesture) {
             return commands::setPositionBase(config, loaded, changes, base, gesture);
           }}};
}

PictureNumbers shiftNumbers(const SceneInput& input) {
  if (!hasTable(input)) return {};
  PictureNumbers numbers = baseNumbers(input);
  const int most = std::max(1, measuredPositions(input.config()) - 1);
  numbers.push_back({.name = "Δ",
                     .tip = "Δ of p(t + Δ): how many positions further",
                     .value = static_cast<float>(shownDistance(input.workspace.settings.positions, most + 1)),
                     .low = 1,
                     .high = static_cast<float>(most),
                     .rungs = shiftRungs,
                     .set = [](float distance, const std::string&, const std::string&) {
                       return commands::changeSettings(
                           [=](ViewSettings& s) { s.positions.distance = static_cast<int>(distance); });
                     }});
  return numbers;
}

}  // namespace glassformer
