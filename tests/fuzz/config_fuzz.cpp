#include "core/io/formats/model_formats.h"
#include "core/model/model_size.h"
#include "tests/fuzz/fuzzed.h"

using namespace glassformer;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto read = readFamilyConfig(textOf(data, size));
  if (read) holds(parameterCount(read->config) > 0);
  return 0;
}
