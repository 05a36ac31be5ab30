#pragma once
#include <charconv>

#include "app/document/view_settings.h"

namespace glassformer {

/// A whole number that ViewSettings::choices holds; `otherwise` where none is chosen.
inline int chosenNumber(const ViewSettings& settings, const char* choice, int otherwise) {
  const std::string_view chosen = settings.chosen(choice);
  int number = otherwise;
  const auto [end, error] = std::from_chars(chosen.data(), chosen.data() + chosen.size(), number);
  return error == std::errc() && end == chosen.data() + chosen.size() ? number : otherwise;
}

}  // namespace glassformer
