#pragma once
#include <bit>
#include <cstdint>

namespace glassformer {

/// The bits of a bfloat16: the upper half of a float32.
using Bfloat16 = std::uint16_t;

/// The float32 that it stands for, exactly.
constexpr float floatFromBfloat16(Bfloat16 bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

}  // namespace glassformer
