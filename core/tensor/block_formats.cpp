#include "core/tensor/block_formats.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "core/tensor/packed_numbers.h"

namespace glassformer {
namespace {

using GgufBlock = const std::byte*;

int byteAt(GgufBlock block, int i) { return std::to_integer<int>(block[i]); }
int bitAt(GgufBlock block, int byte, int bit) { return (byteAt(block, byte) >> bit) & 1; }
float halfAt(GgufBlock block, int i) { return floatFromHalf(sixteenBitsAt(block + i)); }

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
template <int count, int bytes, float (*number)(GgufBlock, int)>
void widenBlock(GgufBlock block, float* to) {
  std::array<std::byte, bytes> own;
  std::memcpy(own.data(), block, bytes);
  for (int i = 0; i < count; ++i) to[i] = number(own.data(), i);
}

constexpr std::array<BlockFormat, 9> ggufBlockFormats{{
    {"Q4_0", 32, 18, widenBlock<32, 18, smallNumber<false, false>>},
    {"Q4_1", 32, 20, widenBlock<32, 20, smallNumber<false, true>>},
    {"Q5_0", 32, 22, widenBlock<32, 22, smallNumber<true, false>>},
    {"Q5_1", 32, 24, widenBlock<32, 24, smallNumber<true, true>>},
    {"Q2_K", 256, 84, widenBlock<256, 84, twoBits>},
    {"Q3_K", 256, 110, widenBlock<256, 110, threeBits>},
    {"Q4_K", 256, 144, widenBlock<256, 144, fourBits<false>>},
    {"Q5_K", 256, 176, widenBlock<256, 176, fourBits<true>>},
    {"Q6_K", 256, 210, widenBlock<256, 210, sixBits>},
}};

}  // namespace

std::span<const BlockFormat> blockFormats() { return ggufBlockFormats; }

const BlockFormat* findBlockFormat(std::string_view name) {
  const auto found = std::ranges::find(ggufBlockFormats, name, &BlockFormat::name);
  return found == ggufBlockFormats.end() ? nullptr : &*found;
}

std::vector<float> widened(const BlockFormat& format, std::span<const std::byte> blocks) {
  const std::size_t count = blocks.size() / format.bytes;
  std::vector<float> numbers(count * format.numbers);
  for (std::size_t i = 0; i < count; ++i)
    format.widen(blocks.data() + i * format.bytes, numbers.data() + i * format.numbers);
  return numbers;
}

}  // namespace glassformer
