#pragma once
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "app/document/command.h"

namespace glassformer {

struct ViewSettings;

/// A number that a picture is drawn for: a temperature, a size, a shift. The rooms show it as a field that is
/// stepped, dragged and typed.
struct PictureNumber {
  const char *name, *tip;
  float value = 0, low = 0, high = 1, step = 1;
  int decimals = 0;
  std::span<const float> rungs = {};  ///< numbers that steps go through instead, in order
  const char* atLow = "";             ///< what the lowest is called, where it has a name
  /// What a change does: the number, and as it is written. Changes of one `gesture` are undone together.
  std::function<Command(float value, const std::string& written, const std::string& gesture)> set = {};
};
using PictureNumbers = std::vector<PictureNumber>;

/// τ of softmax(s / τ), which ViewSettings::choices keeps under this name: see lookup_settings.h.
PictureNumber temperatureNumber(const ViewSettings& settings, const char* choice);

}  // namespace glassformer
