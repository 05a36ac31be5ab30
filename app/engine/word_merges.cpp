#include "app/engine/word_merges.h"

#include "core/text/pre_tokenizer.h"

namespace glassformer {

namespace {

WordMerges wordAt(const Tokenizer& tokenizer, std::string_view word, std::size_t begin, std::size_t longest) {
  WordMerges merges{{begin, begin + word.size()}, {}, {}, false, word.size() > longest};
  if (merges.tooLong) return merges;
  for (std::size_t i = 0; i < word.size(); ++i) merges.bytes.push_back(tokenizer.find(word.substr(i, 1)));
  merges.steps = tokenizer.mergeSteps(word);
  return merges;
}

}  // namespace

std::vector<WordMerges> mergesOfWords(const Tokenizer& tokenizer, std::string_view text,
                                      std::size_t longest) {
  std::vector<WordMerges> words;
  if (!tokenizer.mergesBytes()) return words;
  for (std::size_t at = 0; at < text.size();) {
    const auto special = tokenizer.nextSpecial(text, at);
    const std::size_t end = special ? static_cast<std::size_t>(special->begin) : text.size();
    for (const std::string_view word : splitIntoPieces(text.substr(at, end - at))) {
      words.push_back(wordAt(tokenizer, word, at, longest));
      at += word.size();
    }
    if (!special) break;
    at = static_cast<std::size_t>(special->end);
    words.push_back({{end, at}, {}, {}, true, false});
  }
  return words;
}

}  // namespace glassformer
