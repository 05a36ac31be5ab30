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

std::string fittedInMiddle(const TextMetrics& metrics, const std::string& text, FontFace face, float size,
                           float maxWidth) {
  if (metrics.width(text, face, size) <= maxWidth) return text;
  const auto isInside = [&](std::size_t at) { return (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80; };
  const auto keeping = [&](std::size_t bytes) {  // at each end
    std::size_t left = bytes, right = text.size() - bytes;
    while (left > 0 && isInside(left)) --left;
    while (right < text.size() && isInside(right)) ++right;
    return text.substr(0, left) + "…" + text.substr(right);
  };
  std::size_t low = 0, high = (text.size() + 1) / 2;  // the most that fits lies in [low, high)
  while (high - low > 1) {
    const std::size_t middle = (low + high) / 2;
    (metrics.width(keeping(middle), face, size) <= maxWidth ? low : high) = middle;
  }
  return keeping(low);
}

namespace {

// Bytes of the longest beginning that fits; at least one character.
std::size_t fittingBytes(const TextMetrics& metrics, std::string_view text, FontFace face, float size,
                         float maxWidth) {
  std::size_t end = 0;
  while (end < text.size()) {
    std::size_t next = end + 1;
    while (next < text.size() && (static_cast<unsigned char>(text[next]) & 0xC0) == 0x80) ++next;
    if (end > 0 && metrics.width(text.substr(0, next), face, size) > maxWidth) break;
    end = next;
  }
  return end;
}

}  // namespace

std::vector<std::string> wrapped(const TextMetrics& metrics, std::string_view text, FontFace face, float size,
                                 float maxWidth, int maxLines) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    if (maxLines > 0 && static_cast<int>(lines.size()) == maxLines - 1) {
      lines.push_back(fitted(metrics, text, face, size, maxWidth));
      break;
    }
    std::size_t end = fittingBytes(metrics, text, face, size, maxWidth);
    std::size_t next = end;
    if (end < text.size() && text[end] != ' ')
      if (const std::size_t space = text.rfind(' ', end); space != std::string_view::npos && space > 0)
        end = next = space;
    while (next < text.size() && text[next] == ' ') ++next;
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(next);
  }
  return lines;
}

bool isShortened(const TextMetrics& metrics, const Text& text) {
  return text.maxWidth > 0 && metrics.width(text.text, text.style.face, text.style.size) > text.maxWidth;
}

Box textBox(const TextMetrics& metrics, const Text& text) {
  const float natural = metrics.width(text.text, text.style.face, text.style.size);
  const float along = text.maxWidth > 0 ? std::min(natural, text.maxWidth) : natural;
  const float across = text.style.size * 1.2f;
  const auto shift = [](Align align, float extent) {
    return align == Align::Start ? 0 : align == Align::Middle ? -extent / 2 : -extent;
  };
  if (!text.upright)
    return {text.at.x + shift(text.horizontal, along), text.at.y + shift(text.vertical, across), along,
            across};
  // Reading upwards: Start of the vertical alignment is the lower end.
  const float bottom = text.at.y - shift(text.vertical, along);
  return {text.at.x + shift(text.horizontal, across), bottom - along, across, along};
}

}  // namespace glassformer
