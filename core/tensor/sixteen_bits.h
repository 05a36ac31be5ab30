#pragma once
#include <bit>
#include <cstdint>

namespace glassformer {

/// A number in 16 bits.
using SixteenBits = std::uint16_t;

/// What the bits mean.
enum class SixteenBitFormat {
  Bfloat16,  ///< the upper half of a float32
  Half,      ///< IEEE 754's half precision: 1 sign, 5 exponent, 10 fraction bits
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

/// What turns such numbers into the float32 they stand for.
constexpr auto widening(SixteenBitFormat format) {
  return format == SixteenBitFormat::Half ? floatFromHalf : floatFromBfloat16;
}

}  // namespace glassformer
