#pragma once
#include <cstddef>

#include "core/tensor/derivation.h"

namespace glassformer {

/// The memory of one weight: its values, and where its gradient is summed (null when it is not trained).
struct Weight {
  const float* value = nullptr;
  float* gradient = nullptr;
  int rows = 0, columns = 0;  ///< a vector has one row
  /// Whoever has this weight writes over what is there of the gradient, for nobody has added to it yet.
  bool startsGradient = false;

  Cell cell(int row, int column) const { return value + static_cast<std::ptrdiff_t>(row) * columns + column; }
};

}  // namespace glassformer
