#include "core/text/character_map.h"

#include <utility>

namespace glassformer {
namespace {

// A unit of the double array: whether its node ends a piece of text, the byte that leads to it, and how far
// its children are.
bool hasLeaf(std::uint32_t unit) { return (unit >> 8 & 1) == 1; }
std::uint32_t labelOfUnit(std::uint32_t unit) { return unit & (1u << 31 | 0xFF); }
std::uint32_t offsetOf(std::uint32_t unit) { return unit >> 10 << ((unit & 1u << 9) >> 6); }
std::uint32_t valueOfUnit(std::uint32_t unit) { return unit & ~(1u << 31); }

std::uint32_t numberAt(std::string_view bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t i = 4; i-- > 0;) number = number << 8 | static_cast<unsigned char>(bytes[at + i]);
  return number;
}

}  // namespace

Result<CharacterMap> CharacterMap::create(std::string bytes) {
  CharacterMap map;
  if (bytes.empty()) return map;
  const std::size_t size = bytes.size() < 4 ? 0 : numberAt(bytes, 0);
  if (size == 0 || size % 4 != 0 || size > bytes.size() - 4 || !bytes.ends_with('\0'))
    return Error{"is not a compiled map of characters", "precompiled_charsmap", "get the file again"};
  for (std::size_t at = 0; at < size; at += 4) map.units_.push_back(numberAt(bytes, 4 + at));
  map.bytes_ = std::move(bytes);
  return map;
}

std::optional<CharacterMap::Rewriting> CharacterMap::longest(std::string_view text) const {
  if (units_.empty()) return std::nullopt;
  std::optional<Rewriting> found;
  std::size_t node = offsetOf(units_[0]);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    node ^= byte;
    if (node >= units_.size() || labelOfUnit(units_[node]) != byte) break;
    const std::uint32_t unit = units_[node];
    node ^= offsetOf(unit);
    if (!hasLeaf(unit) || node >= units_.size()) continue;
    const std::size_t begin = 4 + 4 * units_.size() + valueOfUnit(units_[node]);
    if (begin < bytes_.size()) found = {i + 1, std::string_view(bytes_.c_str() + begin)};
  }
  return found;
}

}  // namespace glassformer
