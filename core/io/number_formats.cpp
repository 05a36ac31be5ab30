#include "core/io/number_formats.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace glassformer {
namespace {

using GgufBlock = const std::byte*;

std::uint16_t sixteenBitsAt(const std::byte* bytes) {
  std::uint16_t bits = 0;
  std::memcpy(&bits, bytes, sizeof bits);
  return bits;
}

// IEEE 754's half precision, 1 sign, 5 exponent, 10 fraction bits: subnormal numbers, infinities and NaN
// included.
float floatFromHalf(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
  const std::uint32_t exponent = (bits >> 10) & 0x1Fu, fraction = bits & 0x3FFu;
  if (exponent == 0) {
    const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
    return sign ? -magnitude : magnitude;
  }
  const std::uint32_t wide = exponent == 31 ? 0xFFu : exponent + 112;  // biases: 127 - 15
  return std::bit_cast<float>(sign | (wide << 23) | (fraction << 13));
}

void copyFloats(const std::byte* from, std::size_t count, float* to) {
  std::memcpy(to, from, count * sizeof(float));
}
// A bfloat16 is the upper half of a float32.
void widenBfloat16(const std::byte* from, std::size_t count, float* to) {
  for (std::size_t i = 0; i < count; ++i)
    to[i] = std::bit_cast<float>(static_cast<std::uint32_t>(sixteenBitsAt(from + 2 * i)) << 16);
}
void widenHalf(const std::byte* from, std::size_t count, float* to) {
  for (std::size_t i = 0; i < count; ++i) to[i] = floatFromHalf(sixteenBitsAt(from + 2 * i));
}

int byteAt(GgufBlock block, int i) { return std::to_integer<int>(block[i]); }
int bitAt(GgufBlock block, int byte, int bit) { return (byteAt(block, byte) >> bit) & 1; }
float halfAt(GgufBlock block, int i) { return floatFromHalf(sixteenBitsAt(block + i)); }

// 32 whole numbers of eight bits, and before them what all are multiplied by.
float eightBits(GgufBlock block, int i) {
  return halfAt(block, 0) * static_cast<float>(static_cast<std::int8_t>(block[2 + i]));
}

// 32 numbers of four bits, or five: the low halves of 16 bytes, then the high ones; the fifth bits stand in
// four bytes before them. d q, where q is less 8 or 16; or d q + m, m being the least of the block.
template <bool hasFifth, bool hasLeast>
float smallNumber(GgufBlock block, int i) {
  constexpr int fifths = hasLeast ? 4 : 2, fours = fifths + (hasFifth ? 4 : 0);
  int q = (byteAt(block, fours + i % 16) >> (i < 16 ? 0 : 4)) & 15;
  if (hasFifth) q |= bitAt(block, fifths + i / 8, i % 8) << 4;
  const float d = halfAt(block, 0);
  if (hasLeast) return static_cast<float>(q) * d + halfAt(block, 2);
  return static_cast<float>(q - (hasFifth ? 16 : 8)) * d;
}

// The larger blocks have 256 numbers. Of those of two and three bits a byte holds four that stand 32 apart;
// halves of the block stand in 32 bytes each.
int lowTwoBits(GgufBlock quarters, int i) {
  return (byteAt(quarters, i / 128 * 32 + i % 32) >> (i % 128 / 32 * 2)) & 3;
}

// Each 16 numbers have a scale and a least number of their own, in four bits each.
float twoBits(GgufBlock block, int i) {
  constexpr int quarters = 16, both = 80;
  const int scales = byteAt(block, i / 16), q = lowTwoBits(block + quarters, i);
  const float d = halfAt(block, both) * static_cast<float>(scales & 15),
              least = halfAt(block, both + 2) * static_cast<float>(scales >> 4);
  return d * static_cast<float>(q) - least;
}

// Each 16 numbers have a scale of six bits, less 32: four in eight bytes, and two in four more. The third bit
// of a number is 1 where nothing is taken off.
float threeBits(GgufBlock block, int i) {
  constexpr int quarters = 32, scales = 96, all = 108;
  const int group = i / 16, low = (byteAt(block, scales + group % 8) >> (group < 8 ? 0 : 4)) & 15,
            high = (byteAt(block, scales + 8 + group % 4) >> (group / 4 * 2)) & 3,
            q = lowTwoBits(block + quarters, i) - (bitAt(block, i % 32, i / 32) ? 0 : 4);
  const float d = halfAt(block, all) * static_cast<float>((low | high << 4) - 32);
  return d * static_cast<float>(q);
}

// The scale and the least number, of six bits each, of 32 numbers: of the first four groups in a byte each,
// of the others in four bits, and in what those left of their bytes.
struct SixBits {
  int scale, least;
};
SixBits sixBitsOf(GgufBlock scales, int group) {
  if (group < 4) return {byteAt(scales, group) & 63, byteAt(scales, group + 4) & 63};
  const int lows = byteAt(scales, group + 4);
  return {(lows & 15) | byteAt(scales, group - 4) >> 6 << 4, lows >> 4 | byteAt(scales, group) >> 6 << 4};
}

// Four bits, of which 32 bytes hold 64 numbers, as those of the small blocks; the fifth ones stand by
// themselves, those of a group in one place of 32 bytes.
template <bool hasFifth>
float fourBits(GgufBlock block, int i) {
  constexpr int scales = 4, fifths = 16, fours = fifths + (hasFifth ? 32 : 0);
  const int group = i / 32;
  int q = (byteAt(block, fours + i / 64 * 32 + i % 32) >> (group % 2 * 4)) & 15;
  if (hasFifth) q |= bitAt(block, fifths + i % 32, group) << 4;
  const auto [scale, least] = sixBitsOf(block + scales, group);
  const float d = halfAt(block, 0) * static_cast<float>(scale),
              m = halfAt(block, 2) * static_cast<float>(least);
  return d * static_cast<float>(q) - m;
}

// Six bits, less 32: four low ones in 64 bytes for each half of the block, two high ones as twoBits() has
// them; and each 16 numbers have a scale of eight bits.
float sixBits(GgufBlock block, int i) {
  constexpr int highs = 128, scales = 192, all = 208;
  const int half = i / 128, quarter = i % 128 / 32,
            low = (byteAt(block, half * 64 + quarter % 2 * 32 + i % 32) >> (quarter / 2 * 4)) & 15,
            q = (low | lowTwoBits(block + highs, i) << 4) - 32;
  const auto scale = static_cast<std::int8_t>(byteAt(block, scales + i / 16));
  return halfAt(block, all) * static_cast<float>(scale) * static_cast<float>(q);
}

// Of a copy, which nothing that is written can change: so scales are read once.
template <int numbers, int bytes, float (*number)(GgufBlock, int)>
void widenBlocks(const std::byte* blocks, std::size_t count, float* to) {
  std::array<std::byte, bytes> own;
  for (; count > 0; --count, blocks += bytes) {
    std::memcpy(own.data(), blocks, bytes);
    for (int i = 0; i < numbers; ++i) *to++ = number(own.data(), i);
  }
}

template <int numbers, int bytes, float (*number)(GgufBlock, int)>
constexpr NumberFormat inBlocks(std::string_view name) {
  return {name, numbers, bytes, widenBlocks<numbers, bytes, number>};
}

constexpr std::array allNumberFormats{NumberFormat{"F32", 1, 4, copyFloats},
                                      NumberFormat{"F16", 1, 2, widenHalf},
                                      NumberFormat{"BF16", 1, 2, widenBfloat16},
                                      inBlocks<32, 34, eightBits>("Q8_0"),
                                      inBlocks<32, 18, smallNumber<false, false>>("Q4_0"),
                                      inBlocks<32, 20, smallNumber<false, true>>("Q4_1"),
                                      inBlocks<32, 22, smallNumber<true, false>>("Q5_0"),
                                      inBlocks<32, 24, smallNumber<true, true>>("Q5_1"),
                                      inBlocks<256, 84, twoBits>("Q2_K"),
                                      inBlocks<256, 110, threeBits>("Q3_K"),
                                      inBlocks<256, 144, fourBits<false>>("Q4_K"),
                                      inBlocks<256, 176, fourBits<true>>("Q5_K"),
                                      inBlocks<256, 210, sixBits>("Q6_K")};

}  // namespace

std::span<const NumberFormat> numberFormats() { return allNumberFormats; }

const NumberFormat* findNumberFormat(std::string_view name) {
  const auto found = std::ranges::find(allNumberFormats, name, &NumberFormat::name);
  return found == allNumberFormats.end() ? nullptr : &*found;
}

}  // namespace glassformer
