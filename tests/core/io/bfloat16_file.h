#pragma once
#include <bit>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "core/io/files.h"
#include "core/io/safetensors.h"

namespace glassformer {

/// The upper half of each number's bits; what is below is cut off.
inline std::vector<Bfloat16> bfloat16Of(const std::vector<float>& values) {
  std::vector<Bfloat16> upper;
  for (const float value : values)
    upper.push_back(static_cast<Bfloat16>(std::bit_cast<std::uint32_t>(value) >> 16));
  return upper;
}

/// The same tensors as BF16, their numbers cut; what holds no floats as it is.
inline Status writeBfloat16(const std::filesystem::path& path, const std::vector<StoredTensor>& tensors) {
  std::string header, data;
  for (const StoredTensor& tensor : tensors) {
    const std::size_t begin = data.size();
    if (tensor.isFloat()) {
      const std::vector<Bfloat16> bits = bfloat16Of(tensor.converted());
      data.append(reinterpret_cast<const char*>(bits.data()), bits.size() * sizeof(Bfloat16));
    } else {
      data.append(reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size());
    }
    std::string shape;
    for (auto extent : tensor.shape) shape += (shape.empty() ? "" : ",") + std::to_string(extent);
    header += (header.empty() ? "{\"" : ",\"") + tensor.name + R"(":{"dtype":")" +
              (tensor.isFloat() ? "BF16" : std::string(tensor.type)) + R"(","shape":[)" + shape +
              "],\"data_offsets\":[" + std::to_string(begin) + "," + std::to_string(data.size()) + "]}";
  }
  header += "}";
  while (header.size() % 8 != 0) header += ' ';
  const std::uint64_t length = header.size();
  std::string file(sizeof length, '\0');
  std::memcpy(file.data(), &length, sizeof length);
  return writeFile(path, file + header + data);
}

}  // namespace glassformer
