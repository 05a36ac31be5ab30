#pragma once
#include <memory>

#include "core/io/safetensors.h"
#include "tests/fuzz/fuzzed.h"

namespace glassformer {

inline std::shared_ptr<BinaryFile> binaryFileOf(const std::uint8_t* data, std::size_t size) {
  return BinaryFile::of(std::string(textOf(data, size)), "fuzz");
}

/// Every tensor is found by its name, and what is of floats has as many as it says.
inline void holdTensors(const StoredTensors& file) {
  for (const StoredTensor& tensor : file.tensors()) {
    holds(file.find(tensor.name) != nullptr);
    if (!tensor.isFloat()) continue;
    const auto values = tensor.converted();
    holds(values && static_cast<std::int64_t>(values->size()) == tensor.valueCount());
  }
}

}  // namespace glassformer
