#include "app/document/position_hands.h"

#include <charconv>

#include "app/document/model_commands.h"
#include "app/document/view_commands.h"
#include "app/document/view_settings.h"
#include "core/model/positional/positional_encoding.h"

namespace glassformer {

std::optional<float> ownBase(const ModelConfig& config) {
  const auto number = config.positions->number(config);
  if (!number || number->name != "base" || !config.positions->isAdded()) return std::nullopt;
  return static_cast<float>(config.positions->sinusoidPairs(config)->base);
}

float shownBase(const PositionsSettings& settings, const ModelConfig& config) {
  return ownBase(config).value_or(settings.base);
}

SinusoidPairs shownHands(const PositionsSettings& settings, const ModelConfig& config) {
  const SinusoidPairs beside{0, config.width, static_cast<double>(shownBase(settings, config))};
  if (settings.table == PositionTable::Sinusoidal) return beside;
  return config.positions->sinusoidPairs(config).value_or(beside);
}

std::vector<PositionTap> shownTaps(const PositionsSettings& settings) {
  std::vector<PositionTap> taps;
  for (int i = 0; i < tapCount; ++i)
    if (const float weight = settings.taps[static_cast<std::size_t>(i)]; weight != 0)
      taps.push_back({i - farthestTap, weight});
  return taps;
}

namespace commands {

Command setPositionBase(const ModelConfig& config, const ModelConfig& loaded, const ModelChanges& changes,
                        float base, std::string gesture) {
  if (!ownBase(config)) return changeSettings([base](ViewSettings& s) { s.positions.base = base; });
  // A config that names no base has the usual one.
  const bool isUnnamed = loaded.positionParameter == 0 && base == config.positions->number(config)->usual;
  char text[32];
  const std::string value(text, std::to_chars(text, text + sizeof text, isUnnamed ? 0.0f : base).ptr);
  return setModelChanges(withChange(changes, loaded, "position_parameter", value), std::move(gesture));
}

}  // namespace commands

}  // namespace glassformer
