#pragma once
// What products of many rows and of few have in common, and which of the two a product is. What comes next is
// fetched beforehand in both, and sums run in the order of k (see kernels.h), so none of this ever changes a
// bit.
#include "core/tensor/kernels/matrix_columns.h"

namespace glassformer::GLASSFORMER_LEVEL {

constexpr bool manyRegisters = EIGEN_ARCH_DEFAULT_NUMBER_OF_REGISTERS >= 32;
constexpr int tileRows = manyRegisters ? 12 : 6;  // of C, that stay in registers
constexpr int rowBlock = 44 * tileRows;           // of A, that are multiplied by B once that is copied
constexpr int mostAlongColumns = 2;  // rows of C that are summed along columns of B, where it lies in these

// In blocks (blocked_product.cpp).
void multiplyManyRows(const MatrixProduct& product);
// At most tileRows rows, or mostAlongColumns, with B where it lies (few_rows_product.cpp).
void multiplyFewRows(const MatrixProduct& product);

// Brings what is read soon nearer: into the second level of the cache, for a panel is larger than the first.
inline void fetch(const void* line) {
#if defined(__GNUC__)
  __builtin_prefetch(line, 0, 2);
#else
  static_cast<void>(line);
#endif
}

struct Range {
  int begin, end;
  int size() const { return end - begin; }
};

// What the sums of C(i, j) go on from: at[i * row + j], or 0 where that is null.
struct Start {
  const float* at;
  std::ptrdiff_t row;

  Packet operator()(int i, int j) const { return at ? ploadu<Packet>(at + i * row + j) : pset1<Packet>(0.f); }
};

// Of C from row i and column j on, once everything before k is summed.
inline Start startOf(const MatrixProduct& p, int i, int j, int k) {
  if (k > 0 || p.accumulate) return {p.c + i * p.cRow + j, p.cRow};
  return {p.bias ? p.bias + j : nullptr, 0};
}

}  // namespace glassformer::GLASSFORMER_LEVEL
