#include "core/io/safetensors.h"

#include <cstring>
#include <vector>

#include "tests/fuzz/fuzzed.h"

using namespace glassformer;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // Aligned, as a mapped file is.
  const auto bytes = std::make_shared<std::vector<double>>(size / sizeof(double) + 1);
  std::memcpy(bytes->data(), data, size);
  const auto file =
      StoredTensors::parse({reinterpret_cast<const std::byte*>(bytes->data()), size}, "fuzz", bytes);
  if (!file) return 0;
  for (const StoredTensor& tensor : file->tensors()) {
    holds(file->find(tensor.name) != nullptr);
    if (!tensor.isFloat()) continue;
    holds(static_cast<std::int64_t>(tensor.converted().size()) == tensor.valueCount());
  }
  return 0;
}
