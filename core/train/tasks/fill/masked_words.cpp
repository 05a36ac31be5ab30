#include "core/train/tasks/fill/masked_words.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "core/random.h"
#include "core/train/tasks/stories.h"

namespace glassformer {
namespace {

bool isLetters(std::string_view bytes) {
  return !bytes.empty() && std::ranges::all_of(bytes, [](unsigned char c) { return std::isalpha(c) != 0; });
}

}  // namespace

std::vector<TokenRange> wordsOf(const Tokenizer& tokenizer, std::span<const int> tokens) {
  std::vector<TokenRange> words;
  constexpr int nowhere = -1;
  int opened = 0;  // where a word can have begun; a space that is a token of its own is part of it
  bool inWord = false;
  for (int i = 0; i < static_cast<int>(tokens.size()); ++i) {
    const int id = tokens[static_cast<std::size_t>(i)];
    std::string_view bytes = tokenizer.tokenBytes(id);
    const bool spaced = bytes.starts_with(' ');
    if (spaced) bytes.remove_prefix(1), opened = i;
    const bool letters = !tokenizer.isSpecial(id) && isLetters(bytes);
    if (letters && opened != nowhere)
      words.push_back({opened, i + 1});
    else if (letters && inWord)
      ++words.back().end;
    inWord = letters && (opened != nowhere || inWord);
    if (id == tokenizer.endOfText())
      opened = i + 1;
    else if (!spaced || !bytes.empty())
      opened = nowhere;
  }
  return words;
}

std::vector<MaskedWord> heldOutMaskedWords(const Tokenizer& tokenizer, std::uint64_t seed, int count,
                                           int positions) {
  StoryGenerator generator(mix(seed), Split::HeldOut);
  Random random(mix(seed + 1));
  std::vector<MaskedWord> masked;
  while (static_cast<int>(masked.size()) < count) {
    MaskedWord one{.text = generator.next().text};
    const Tokenization story = tokenizer.encode(one.text);
    one.tokens = {tokenizer.endOfText()};
    for (const Token& token : story) one.tokens.push_back(token.id);
    if (static_cast<int>(one.tokens.size()) > positions) continue;
    std::vector<TokenRange> words = wordsOf(tokenizer, one.tokens);
    std::erase_if(words, [](const TokenRange& word) { return word.end - word.begin > 1; });
    one.position = words[static_cast<std::size_t>(random.below(static_cast<int>(words.size())))].begin;
    int& masks = one.tokens[static_cast<std::size_t>(one.position)];
    one.answer = std::exchange(masks, tokenizer.mask());
    const Token& token = story[static_cast<std::size_t>(one.position) - 1];
    const auto begin = static_cast<std::size_t>(token.begin);
    one.word = {begin + (one.text[begin] == ' ' ? 1 : 0), static_cast<std::size_t>(token.end)};
    masked.push_back(std::move(one));
  }
  return masked;
}

}  // namespace glassformer
