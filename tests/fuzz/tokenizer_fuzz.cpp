#include "core/text/tokenizers.h"
#include "tests/fuzz/fuzzed.h"

using namespace glassformer;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto tokenizer = readTokenizerJson(textOf(data, size), "tokenizer.json");
  if (!tokenizer) return 0;
  for (const int id : (*tokenizer)->encodeIds("The dog saw \"it\".\n \xFF\xC3\xBC")) holds(id >= 0);
  return 0;
}
