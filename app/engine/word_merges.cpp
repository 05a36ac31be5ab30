#include "app/engine/word_merges.h"

#include "core/text/pre_tokenizer.h"

namespace glassformer {

namespace {

WordMerges wordAt(const BytePairEncoding& tokenizer, std::string_view word, std::size_t begin,
                  std::size_t longest) {
  WordMerges merges{{begin, begin + word.size()}, {}, {}, false, word.size() > longest};
  if (merges.tooLong) return merges;
  for (std::size_t i = 0; i < word.size(); ++i) merges.bytes.push_back(tokenizer.find(word.substr(i, 1)));
  merges.steps = tokenizer.mergeSteps(word);
  return merges;
}

}  // namespace

std::vector<WordMerges> mergesOfWords(const BytePairEncoding& tokenizer, std::string_view text,
                                      std::size_t longest) {
  constexpr auto special = BytePairEncoding::endOfTextName;
  std::vector<WordMerges> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t found = tokenizer.endOfText() < 0 ? std::string_view::npos : text.find(special, at);
    const std::size_t end = std::min(found, text.size());
    for (const std::string_view word : splitIntoPieces(text.substr(at, end - at))) {
      words.push_back(wordAt(tokenizer, word, at, longest));
      at += word.size();
    }
    if (end == text.size()) break;
    at = end + special.size();
    words.push_back({{end, at}, {}, {}, true, false});
  }
  return words;
}

}  // namespace glassformer
