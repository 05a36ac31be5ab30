#include "tests/fuzz/fuzzed_tensors.h"

using namespace glassformer;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (const auto file = StoredTensors::parse(binaryFileOf(data, size))) holdTensors(*file);
  return 0;
}
