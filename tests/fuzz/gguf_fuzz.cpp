#include "core/io/gguf_model.h"

#include "tests/fuzz/fuzzed_tensors.h"

using namespace glassformer;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto file = parseGguf(binaryFileOf(data, size));
  if (!file) return 0;
  holdTensors(file->tensors);
  static_cast<void>(familyOf(*file, "fuzz"));
  if (const auto tokenizer = tokenizerOf(*file, "fuzz"))
    for (const int id : (*tokenizer)->encodeIds("The dog\n \xFF")) holds(id >= 0);
  return 0;
}
