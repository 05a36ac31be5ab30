#pragma once
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace glassformer {

/// A type of GGUF files whose numbers are stored in blocks of fewer bits, and widened on opening: whole
/// numbers q of 2 to 6 bits, and scales that those of a block or of a part of it have in common. Q8_0, which
/// is read where it lies, is no such type (see NumberBlock).
struct BlockFormat {
  std::string_view name;  ///< "Q4_K"
  std::size_t numbers, bytes;
  /// The float32 that each number of a block stands for.
  void (*widen)(const std::byte* block, float* to);
};
std::span<const BlockFormat> blockFormats();
/// Null where there is none of that name.
const BlockFormat* findBlockFormat(std::string_view name);

/// All numbers of whole blocks, as float32.
std::vector<float> widened(const BlockFormat& format, std::span<const std::byte> blocks);

}  // namespace glassformer
