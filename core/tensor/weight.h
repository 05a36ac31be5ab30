#pragma once
#include <algorithm>
#include <cstddef>

#include "core/tensor/derivation.h"
#include "core/tensor/sixteen_bits.h"

namespace glassformer {

/// The memory of one weight: its values, and where its gradient is summed (null when it is not trained).
struct Weight {
  const float* value = nullptr;
  float* gradient = nullptr;
  int rows = 0, columns = 0;  ///< a vector has one row
  /// Where it is kept in 16 bits (core/tensor/sixteen_bit_matrix.h): the vectors that it consists of, rows of
  /// a table and columns of what is multiplied with. `value` reads the same numbers, more slowly.
  const SixteenBits* const* vectors = nullptr;
  SixteenBitFormat format = SixteenBitFormat::Bfloat16;  ///< of the vectors

  Cell cell(int row, int column) const { return value + static_cast<std::ptrdiff_t>(row) * columns + column; }
  /// The vectors from the i-th on; null where it is kept as float32.
  const SixteenBits* const* vectorsFrom(int i) const { return vectors ? vectors + i : nullptr; }
  /// Of a table, the first `count` numbers of a row.
  void copyRow(int row, int count, float* to) const {
    if (vectors)
      std::transform(vectors[row], vectors[row] + count, to, widening(format));
    else
      std::copy_n(cell(row, 0), count, to);
  }
};

}  // namespace glassformer
