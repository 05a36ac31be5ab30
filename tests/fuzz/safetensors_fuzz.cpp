#include "tests/fuzz/fuzzed_tensors.h"

using namespace glassformer;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = alignedBytes(data, size);
  if (const auto file = StoredTensors::parse(bytesIn(*bytes, size), "fuzz", bytes)) holdTensors(*file);
  return 0;
}
