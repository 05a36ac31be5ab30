#pragma once
#include <array>
#include <cstddef>
#include <string>

#include "core/tensor/tensor.h"

namespace glassformer {

/// A number that stays in sight, whatever is pointed at: one cell of a named tensor.
struct Pin {
  std::string point;
  std::array<int, maxRank> index{};

  bool operator==(const Pin&) const = default;
};

inline constexpr std::size_t mostPins = 12;

}  // namespace glassformer
