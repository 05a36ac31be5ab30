#include "app/engine/word_merges.h"

#include <algorithm>
#include <iterator>

namespace glassformer {

namespace {

WordMerges mergesOf(const Tokenizer& tokenizer, const TextWord& word, std::size_t at, std::size_t longest) {
  WordMerges merges{.range = {at + word.begin, at + word.end},
                    .joined = word.bytes,
                    .areCharacters = word.areCharacters,
                    .special = word.isAdded,
                    .tooLong = !word.isAdded && word.bytes.size() > longest};
  if (merges.tooLong || word.isAdded) return merges;
  merges.units = word.units;
  merges.steps = tokenizer.mergeSteps(word.bytes);
  return merges;
}

}  // namespace

const std::vector<int>& joinedBy(const WordMerges& word, int merges) {
  const auto beyond = std::ranges::find_if(word.steps, [&](const MergeStep& s) { return s.rank >= merges; });
  return beyond == word.steps.begin() ? word.units : std::prev(beyond)->after;
}

std::vector<WordMerges> mergesOfWords(const Tokenizer& tokenizer, std::string_view text,
                                      std::size_t longest) {
  std::vector<WordMerges> words;
  for (std::size_t at = 0; at < text.size();) {
    const auto added = tokenizer.nextAdded(text, at);
    const std::size_t end = added ? static_cast<std::size_t>(added->begin) : text.size();
    const auto between = tokenizer.words(text.substr(at, end - at), at == 0);
    if (between.empty() && end > at) return {};  // nothing is merged
    for (const TextWord& word : between) words.push_back(mergesOf(tokenizer, word, at, longest));
    if (!added) break;
    at = static_cast<std::size_t>(added->end);
    words.push_back({.range = {end, at}, .joined = std::string(text.substr(end, at - end)), .special = true});
  }
  return words;
}

}  // namespace glassformer
