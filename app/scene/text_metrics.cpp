#include "app/scene/text_metrics.h"

namespace glassformer {

std::string fitted(const TextMetrics& metrics, std::string_view text, FontFace face, float size,
                   float maxWidth) {
  if (metrics.width(text, face, size) <= maxWidth) return std::string(text);
  std::size_t low = 0, high = text.size();  // the longest beginning that fits lies in [low, high)
  const auto startsCharacter = [&](std::size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xC0) != 0x80;
  };
  while (high - low > 1) {
    const std::size_t middle = (low + high) / 2;
    const std::string candidate = std::string(text.substr(0, middle)) + "…";
    (metrics.width(candidate, face, size) <= maxWidth ? low : high) = middle;
  }
  while (low > 0 && !startsCharacter(low)) --low;
  return std::string(text.substr(0, low)) + "…";
}

}  // namespace glassformer
