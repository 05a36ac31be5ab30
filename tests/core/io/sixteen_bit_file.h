#pragma once
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "core/io/files.h"
#include "core/io/number_formats.h"
#include "core/io/safetensors.h"

namespace glassformer {

/// The nearest number of half precision that is no further from 0.
inline std::uint16_t halfOf(float value) {
  const int sign = std::signbit(value) ? 0x8000 : 0;
  const float magnitude = std::abs(value);
  if (std::isinf(magnitude)) return static_cast<std::uint16_t>(sign | 0x7C00);
  if (magnitude < 0x1p-14f) return static_cast<std::uint16_t>(sign | static_cast<int>(magnitude * 0x1p24f));
  const int exponent = std::ilogb(magnitude);
  if (exponent > 15) return static_cast<std::uint16_t>(sign | 0x7BFF);
  const int fraction = static_cast<int>((std::ldexp(magnitude, -exponent) - 1) * 1024);
  return static_cast<std::uint16_t>(sign | (exponent + 15) << 10 | fraction);
}

/// The float32 that a number of 16 bits stands for.
inline float widened(std::uint16_t bits, const std::string& type) {
  float number = 0;
  findNumberFormat(type)->widen(reinterpret_cast<const std::byte*>(&bits), 1, &number);
  return number;
}

/// Each number as F16 or BF16; what is below is cut off.
inline std::vector<std::uint16_t> sixteenBitsOf(const std::vector<float>& values, const std::string& type) {
  std::vector<std::uint16_t> bits;
  for (const float value : values)
    bits.push_back(type == "F16" ? halfOf(value)
                                 : static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16));
  return bits;
}

/// The same tensors in 16 bits, their numbers cut; what holds no floats as it is.
inline Status writeSixteenBits(const std::filesystem::path& path, const std::vector<StoredTensor>& tensors,
                               const std::string& type) {
  std::string header, data;
  for (const StoredTensor& tensor : tensors) {
    const std::size_t begin = data.size();
    if (tensor.isFloat()) {
      const std::vector<std::uint16_t> bits = sixteenBitsOf(*tensor.converted(), type);
      data.append(reinterpret_cast<const char*>(bits.data()), bits.size() * sizeof(std::uint16_t));
    } else {
      data += *tensor.bytes();
    }
    std::string shape;
    for (auto extent : tensor.shape) shape += (shape.empty() ? "" : ",") + std::to_string(extent);
    header += (header.empty() ? "{\"" : ",\"") + tensor.name + R"(":{"dtype":")" +
              (tensor.isFloat() ? type : tensor.type) + R"(","shape":[)" + shape + "],\"data_offsets\":[" +
              std::to_string(begin) + "," + std::to_string(data.size()) + "]}";
  }
  header += "}";
  while (header.size() % 8 != 0) header += ' ';
  const std::uint64_t length = header.size();
  std::string file(sizeof length, '\0');
  std::memcpy(file.data(), &length, sizeof length);
  return writeFile(path, file + header + data);
}

}  // namespace glassformer
