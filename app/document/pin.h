#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <string>

#include "core/tensor/tensor.h"

namespace glassformer {

/// One of the passes that a number compares.
struct PinnedPass {
  std::string point;  ///< that number's: one of the shown pass
  std::array<int, maxRank> index{};
  int pass = 0;  ///< in the order in which it was opened into them

  bool operator==(const PinnedPass&) const = default;
};

/// A number that stays in sight, whatever is pointed at: one cell of a named tensor.
struct Pin {
  std::string point;
  std::array<int, maxRank> index{};
  std::optional<PinnedPass> in = std::nullopt;  ///< none: the shown pass

  bool operator==(const Pin&) const = default;
};

inline constexpr std::size_t mostPins = 12;

}  // namespace glassformer
