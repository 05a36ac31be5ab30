#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace glassformer {

/// How a file keeps numbers in less than float32.
enum class PackedFormat {
  Bfloat16,  ///< 16 bits: the upper half of a float32
  Half,      ///< 16 bits: IEEE 754's half precision, 1 sign, 5 exponent, 10 fraction bits
  Blocks,    ///< GGUF's Q8_0, see NumberBlock
};

/// Packed numbers that lie side by side, wherever that is; of blocks a whole number of them.
using PackedVector = const std::byte*;

/// A number in 16 bits.
using SixteenBits = std::uint16_t;

/// 32 numbers are as many whole ones from −128 to 127, and before these, as a half, what all are multiplied
/// by.
struct NumberBlock {
  static constexpr std::size_t numbers = 32, bytes = sizeof(SixteenBits) + numbers;
};

/// The float32 that a bfloat16 stands for, exactly.
constexpr float floatFromBfloat16(SixteenBits bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

/// The float32 that a half-precision number stands for, exactly: subnormal numbers, infinities and NaN
/// included.
constexpr float floatFromHalf(SixteenBits bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
  const std::uint32_t exponent = (bits >> 10) & 0x1Fu, fraction = bits & 0x3FFu;
  if (exponent == 0) {
    const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
    return sign ? -magnitude : magnitude;
  }
  const std::uint32_t wide = exponent == 31 ? 0xFFu : exponent + 112;  // biases: 127 - 15
  return std::bit_cast<float>(sign | (wide << 23) | (fraction << 13));
}

inline SixteenBits sixteenBitsAt(PackedVector bytes) {
  SixteenBits bits = 0;
  std::memcpy(&bits, bytes, sizeof bits);
  return bits;
}

/// The bytes of so many numbers: of blocks, of those that are filled.
constexpr std::size_t packedBytes(PackedFormat format, std::size_t numbers) {
  return format == PackedFormat::Blocks ? numbers / NumberBlock::numbers * NumberBlock::bytes
                                        : numbers * sizeof(SixteenBits);
}

/// The float32 that number i of a vector stands for, exactly: of a block, too, whose products have 19 bits.
template <PackedFormat format>
float packedNumber(PackedVector vector, std::size_t i) {
  if constexpr (format == PackedFormat::Blocks) {
    const PackedVector block = vector + packedBytes(format, i);
    const std::byte whole = block[sizeof(SixteenBits) + i % NumberBlock::numbers];
    return floatFromHalf(sixteenBitsAt(block)) * static_cast<float>(std::bit_cast<std::int8_t>(whole));
  } else {
    const SixteenBits bits = sixteenBitsAt(vector + packedBytes(format, i));
    return format == PackedFormat::Half ? floatFromHalf(bits) : floatFromBfloat16(bits);
  }
}

/// What reads such numbers.
constexpr auto readingOf(PackedFormat format) {
  switch (format) {
    case PackedFormat::Bfloat16:
      return packedNumber<PackedFormat::Bfloat16>;
    case PackedFormat::Half:
      return packedNumber<PackedFormat::Half>;
    case PackedFormat::Blocks:
      break;
  }
  return packedNumber<PackedFormat::Blocks>;
}

/// Numbers [first, first + count) of a vector, as float32.
inline void unpack(PackedFormat format, PackedVector vector, std::size_t first, std::size_t count,
                   float* to) {
  const auto number = readingOf(format);
  for (std::size_t i = 0; i < count; ++i) to[i] = number(vector, first + i);
}

}  // namespace glassformer
