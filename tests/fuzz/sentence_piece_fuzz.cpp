#include "core/text/sentence_piece_model.h"

#include "tests/fuzz/fuzzed.h"

using namespace glassformer;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto model = parseSentencePieces(textOf(data, size), "fuzz.model");
  if (!model) return 0;
  const auto tokenizer = tokenizerOf(*model, BosEosTokens{}, "fuzz.model");
  if (!tokenizer) return 0;
  for (const int id : (*tokenizer)->encodeIds("The dog saw \"it\".\n \xFF\xC3\xBC")) holds(id >= 0);
  return 0;
}
