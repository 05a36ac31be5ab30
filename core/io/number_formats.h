#pragma once
#include <cstddef>
#include <span>
#include <string_view>

namespace glassformer {

/// How a file stores numbers that are read as float32: F32, F16 and BF16 one by one; those of GGUF in blocks
/// of fewer bits, whole numbers q of 2 to 8 bits and scales that those of a block or of a part of it have in
/// common. What is read is exactly what the bits stand for.
struct NumberFormat {
  std::string_view name;               ///< "F32", "BF16", "Q4_K"
  std::size_t numbers = 1, bytes = 0;  ///< of a block
  /// Writes `numbers` float32 for each of `count` blocks.
  void (*widen)(const std::byte* blocks, std::size_t count, float* to) = nullptr;
};
std::span<const NumberFormat> numberFormats();
/// Null where there is none of that name.
const NumberFormat* findNumberFormat(std::string_view name);
/// The hint of an error about any other type.
inline constexpr const char* readableFormats =
    "F32, F16, BF16, Q8_0, Q4_0 to Q5_1 and Q2_K to Q6_K can be read";

}  // namespace glassformer
