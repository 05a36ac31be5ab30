#pragma once
#include <string>

namespace glassformer {

/// "[2, 16]" of extents or of an index, of whatever kind of whole numbers.
std::string extentsText(const auto& extents) {
  std::string text;
  for (const auto extent : extents) text += (text.empty() ? "" : ", ") + std::to_string(extent);
  return "[" + text + "]";
}

}  // namespace glassformer
