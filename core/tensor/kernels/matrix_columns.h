#pragma once
// B of a product C = A · B where the numbers of each of its columns lie side by side. Some columns are turned
// in registers at a time: then each packet is a row of them.
#include <Eigen/Core>
#include <algorithm>

#include "core/tensor/kernels/levels.h"

namespace glassformer::GLASSFORMER_LEVEL {

using Packet = Eigen::internal::packet_traits<float>::type;
using Eigen::internal::padd;
using Eigen::internal::ploadu;
using Eigen::internal::pmadd;
using Eigen::internal::pmul;
using Eigen::internal::pset1;
using Eigen::internal::pstoreu;

constexpr int lanes = Eigen::internal::packet_traits<float>::size;
constexpr int lineFloats = 16;  // of a cache line

// The sums must stay in registers: that takes loops without a trace of a loop.
#if defined(__clang__)
#define GLASSFORMER_UNROLLED _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define GLASSFORMER_UNROLLED _Pragma("GCC unroll 16")
#else
#define GLASSFORMER_UNROLLED
#endif

using Square = Eigen::internal::PacketBlock<Packet, lanes>;

// lanes x lanes numbers, turned in registers: of `rows` rows, and for what is beyond the last one again.
inline Square turned(const float* first, std::ptrdiff_t stride, int rows) {
  Square square;
  GLASSFORMER_UNROLLED for (int l = 0; l < lanes; ++l) square.packet[l] =
      ploadu<Packet>(first + std::min(l, rows - 1) * stride);
  Eigen::internal::ptranspose(square);
  return square;
}

// Number k of B's column j, and those that follow it there.
inline const float* columnAt(const MatrixProduct& p, int k, int j) { return p.b + j * p.bColumn + k; }

// Rows [k, k + lanes) of B in columns [j, j + columns).
inline Square turnedColumns(const MatrixProduct& p, int k, int j, int columns) {
  return turned(columnAt(p, k, j), p.bColumn, columns);
}

inline bool liesInColumns(const MatrixProduct& p) { return p.bColumn != 1; }

}  // namespace glassformer::GLASSFORMER_LEVEL
