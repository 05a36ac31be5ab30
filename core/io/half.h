#pragma once
#include <bit>
#include <cstdint>

namespace glassformer {

/// The float32 that an IEEE 754 half-precision number (1 sign, 5 exponent, 10 fraction bits) stands for,
/// exactly: subnormal numbers, infinities and NaN included.
constexpr float floatFromHalf(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
  const std::uint32_t exponent = (bits >> 10) & 0x1Fu, fraction = bits & 0x3FFu;
  if (exponent == 0) {
    const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
    return sign ? -magnitude : magnitude;
  }
  const std::uint32_t wide = exponent == 31 ? 0xFFu : exponent + 112;  // biases: 127 - 15
  return std::bit_cast<float>(sign | (wide << 23) | (fraction << 13));
}

}  // namespace glassformer
