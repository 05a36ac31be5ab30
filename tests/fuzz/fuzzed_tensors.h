#pragma once
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "core/io/safetensors.h"
#include "tests/fuzz/fuzzed.h"

namespace glassformer {

/// The bytes aligned, as those of a mapped file are.
inline std::shared_ptr<std::vector<double>> alignedBytes(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::make_shared<std::vector<double>>(size / sizeof(double) + 1);
  std::memcpy(bytes->data(), data, size);
  return bytes;
}
inline std::span<const std::byte> bytesIn(const std::vector<double>& aligned, std::size_t size) {
  return {reinterpret_cast<const std::byte*>(aligned.data()), size};
}

/// Every tensor is found by its name, and what is of floats has as many as it says.
inline void holdTensors(const StoredTensors& file) {
  for (const StoredTensor& tensor : file.tensors()) {
    holds(file.find(tensor.name) != nullptr);
    if (tensor.isFloat()) holds(static_cast<std::int64_t>(tensor.converted().size()) == tensor.valueCount());
  }
}

}  // namespace glassformer
