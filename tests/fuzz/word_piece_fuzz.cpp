#include "core/text/word_piece_file.h"

#include <algorithm>

#include "tests/fuzz/fuzzed.h"

using namespace glassformer;

// A vocabulary, and behind a zero byte what is cut by it.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = textOf(data, size);
  const std::size_t end = std::min(bytes.find('\0'), bytes.size());
  const auto pieces = parseVocabText(bytes.substr(0, end), R"({"do_lower_case": true})");
  if (!pieces) return 0;
  const std::string_view text = bytes.substr(std::min(end + 1, size), 4096);
  for (const int id : pieces->encodeIds(text)) holds(id >= 0 && id < pieces->vocabularySize());
  return 0;
}
