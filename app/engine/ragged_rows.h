#pragma once
#include <algorithm>
#include <cmath>
#include <ranges>

#include "core/tensor/tensor.h"

namespace glassformer {

/// Rows of different lengths, one below the other: [rows, the longest], NaN where one has ended.
template <std::ranges::range Rows>
Tensor raggedRows(const Rows& rows) {
  std::size_t longest = 1;
  for (const auto& row : rows) longest = std::max(longest, row.size());
  Tensor all({static_cast<int>(rows.size()), static_cast<int>(longest)},
             std::vector<float>(rows.size() * longest, NAN));
  auto to = all.values().begin();
  for (const auto& row : rows) {
    std::ranges::transform(row, to, [](auto value) { return static_cast<float>(value); });
    to += static_cast<std::ptrdiff_t>(longest);
  }
  return all;
}

}  // namespace glassformer
