#pragma once
#include <algorithm>
#include <cstddef>

#include "core/tensor/derivation.h"
#include "core/tensor/packed_numbers.h"

namespace glassformer {

/// The memory of one weight: its values, and where its gradient is summed (null when it is not trained).
struct Weight {
  const float* value = nullptr;
  float* gradient = nullptr;
  int rows = 0, columns = 0;  ///< a vector has one row
  /// Where it is kept packed (core/tensor/packed_matrix.h): the vectors that it consists of, rows of
  /// a table and columns of what is multiplied with. `value` reads the same numbers, more slowly.
  const PackedVector* vectors = nullptr;
  PackedFormat format = PackedFormat::Bfloat16;  ///< of the vectors
  /// Whoever has this weight writes over what is there of the gradient, for nobody has added to it yet.
  bool startsGradient = false;

  Cell cell(int row, int column) const { return value + static_cast<std::ptrdiff_t>(row) * columns + column; }
  /// The vectors from the i-th on; null where it is kept as float32.
  const PackedVector* vectorsFrom(int i) const { return vectors ? vectors + i : nullptr; }
  /// Of a table, the first `count` numbers of a row.
  void copyRow(int row, int count, float* to) const {
    if (vectors)
      unpack(format, vectors[row], 0, static_cast<std::size_t>(count), to);
    else
      std::copy_n(cell(row, 0), count, to);
  }
};

}  // namespace glassformer
