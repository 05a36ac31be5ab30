#pragma once
// B of a product C = A · B where the numbers of each of its columns lie side by side, in every format in
// which weights are kept. Some columns are turned in registers at a time: then each packet is a row of them.
#include <Eigen/Core>
#include <algorithm>
#include <bit>
#include <cstring>

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

// B, where each of its columns lies side by side: as float32.
struct FloatColumns {
  static constexpr int depth = lanes;  // numbers of a column that are turned at a time
  static constexpr int lineDepth = lineFloats;
  const float* b;
  std::ptrdiff_t column;

  float operator()(int k, int j) const { return b[j * column + k]; }
  const void* line(int k, int j) const { return b + j * column + k; }
  // Rows [k, k + depth) of B, the columns from j on, of which there are so many.
  void turn(int k, int j, int columns, Packet* rows) const {
    const Square square = turned(b + j * column + k, column, columns);
    std::copy_n(square.packet, lanes, rows);
  }
};

using Bits = Eigen::internal::unpacket_traits<Packet>::integer_packet;
using Eigen::internal::pand;
using Eigen::internal::plogical_shift_left;
using Eigen::internal::preinterpret;
using Eigen::internal::pset1frombits;

// Two numbers of 16 bits in the place of one float32, the first in its lower half: both as float32.
template <PackedFormat format>
struct Parted;

template <>
struct Parted<PackedFormat::Bfloat16> {
  static Packet first(const Packet& pair) {
    return preinterpret<Packet>(plogical_shift_left<16>(preinterpret<Bits>(pair)));
  }
  static Packet second(const Packet& pair) { return pand(pair, pset1frombits<Packet>(0xFFFF0000u)); }
};

// Sign, exponent and fraction come to where float32 has them, the sign with three copies of it behind;
// float32's bias is larger by 112, and so what the bits say too small by 2¹¹², in subnormal numbers, too.
template <>
struct Parted<PackedFormat::Half> {
  static Packet first(const Packet& pair) {
    return widened(plogical_shift_left<16>(preinterpret<Bits>(pair)));
  }
  static Packet second(const Packet& pair) { return widened(preinterpret<Bits>(pair)); }

 private:
  static Packet widened(const Bits& upper) {
    const Packet moved = preinterpret<Packet>(Eigen::internal::parithmetic_shift_right<3>(upper));
    return pmul(pand(moved, pset1frombits<Packet>(0x8FFFE000u)), pset1<Packet>(0x1p112f));
  }
};

// The same in 16 bits. Pairs of numbers of a column are turned, and parted afterwards.
template <PackedFormat format>
struct SixteenBitColumns {
  static constexpr int depth = 2 * lanes;
  static constexpr int lineDepth = 2 * lineFloats;
  const PackedVector* vectors;

  float operator()(int k, int j) const {
    return packedNumber<format>(vectors[j], static_cast<std::size_t>(k));
  }
  const void* line(int k, int j) const { return at(k, j); }
  void turn(int k, int j, int columns, Packet* rows) const {
    Square pairs;
    GLASSFORMER_UNROLLED for (int l = 0; l < lanes; ++l) pairs.packet[l] =
        ploadu<Packet>(reinterpret_cast<const float*>(at(k, j + std::min(l, columns - 1))));
    Eigen::internal::ptranspose(pairs);
    GLASSFORMER_UNROLLED for (int l = 0; l < lanes; ++l) {
      rows[2 * l] = Parted<format>::first(pairs.packet[l]);
      rows[2 * l + 1] = Parted<format>::second(pairs.packet[l]);
    }
  }

 private:
  PackedVector at(int k, int j) const {
    return vectors[j] + packedBytes(format, static_cast<std::size_t>(k));
  }
};

// The same in blocks. Four whole numbers of a column are turned as one float32, and parted afterwards: then
// each lane is a column, which has its own factor.
struct BlockColumns {
  static constexpr int quads = std::min(lanes, 8);  // of a block, as many as there are or can be turned
  static constexpr int depth = 4 * quads;
  static constexpr int lineDepth = NumberBlock::numbers;
  const PackedVector* vectors;

  float operator()(int k, int j) const {
    return packedNumber<PackedFormat::Blocks>(vectors[j], static_cast<std::size_t>(k));
  }
  const void* line(int k, int j) const { return blockOf(k, j); }
  // k is the first number of a block, or of a half of one.
  void turn(int k, int j, int columns, Packet* rows) const {
    const auto inBlock = sizeof(SixteenBits) + static_cast<std::size_t>(k) % NumberBlock::numbers;
    Square square;
    alignas(64) float factors[lanes];
    GLASSFORMER_UNROLLED for (int l = 0; l < lanes; ++l) {
      const PackedVector block = blockOf(k, j + std::min(l, columns - 1));
      square.packet[l] = pset1<Packet>(0.f);
      std::memcpy(&square.packet[l], block + inBlock, depth);
      factors[l] = factorOf(block);
    }
    Eigen::internal::ptranspose(square);
    const Packet factor = ploadu<Packet>(factors);
    GLASSFORMER_UNROLLED for (int q = 0; q < quads; ++q) {
      const Bits quad = preinterpret<Bits>(square.packet[q]);
      rows[4 * q] = pmul(wholeOf<24>(quad), factor);
      rows[4 * q + 1] = pmul(wholeOf<16>(quad), factor);
      rows[4 * q + 2] = pmul(wholeOf<8>(quad), factor);
      rows[4 * q + 3] = pmul(wholeOf<0>(quad), factor);
    }
  }

 private:
  PackedVector blockOf(int k, int j) const {
    return vectors[j] + packedBytes(PackedFormat::Blocks, static_cast<std::size_t>(k));
  }
  // As Parted<Half> widens, for one number: without a branch, since all are finite.
  static float factorOf(PackedVector block) {
    const std::uint32_t bits = sixteenBitsAt(block);
    const float magnitude = std::bit_cast<float>((bits & 0x7FFFu) << 13) * 0x1p112f;
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(magnitude) | (bits & 0x8000u) << 16);
  }
  // Of the four the one that has so many bits above it.
  template <int above>
  static Packet wholeOf(const Bits& quad) {
    return Eigen::internal::pcast<Bits, Packet>(
        Eigen::internal::parithmetic_shift_right<24>(plogical_shift_left<above>(quad)));
  }
};

inline bool liesInColumns(const MatrixProduct& p) { return p.bVectors || p.bColumn != 1; }

template <typename Visit>
void withColumns(const MatrixProduct& p, Visit visit) {
  using enum PackedFormat;
  if (!p.bVectors) return visit(FloatColumns{p.b, p.bColumn});
  switch (p.bFormat) {
    case Bfloat16:
      return visit(SixteenBitColumns<Bfloat16>{p.bVectors});
    case Half:
      return visit(SixteenBitColumns<Half>{p.bVectors});
    case Blocks:
      return visit(BlockColumns{p.bVectors});
  }
}

}  // namespace glassformer::GLASSFORMER_LEVEL
