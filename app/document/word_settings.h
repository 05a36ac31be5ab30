#pragma once
#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>

#include "app/document/view_settings.h"

namespace glassformer {

/// What ViewSettings::choices calls the last row that the picture of one word shows, from 0; "" all of them.
inline constexpr const char* wordRowChoice = "attention.row";

/// The last row shown, which is marked; nothing: all `rows` are shown, and none is marked.
inline std::optional<int> chosenWordRow(const ViewSettings& settings, int rows) {
  const std::string words(settings.chosen(wordRowChoice));
  if (words.empty()) return std::nullopt;
  return std::clamp(std::atoi(words.c_str()), 0, rows - 1);
}

}  // namespace glassformer
