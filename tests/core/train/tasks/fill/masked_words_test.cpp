#include "core/train/tasks/fill/masked_words.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "core/train/tasks/fill/fill_batches.h"

using namespace glassformer;

namespace {

const BytePairEncoding& wordsTokenizer() {
  static const BytePairEncoding encoding = trainFillTokenizer(1, 700);
  return encoding;
}

}  // namespace

TEST_CASE("words are runs of letters behind a space or at the beginning of a text") {
  const auto tokens =
      wordsTokenizer().encodeIds("Once \"Mia\" didn't sing: zyx.<|endoftext|>The owl<|mask|> x2");
  std::vector<std::string> words;
  for (const TokenRange& word : wordsOf(wordsTokenizer(), tokens))
    words.push_back(wordsTokenizer().decode(std::span(tokens).subspan(
        static_cast<std::size_t>(word.begin), static_cast<std::size_t>(word.end - word.begin))));
  CHECK(words == std::vector<std::string>{"Once", " didn", " sing", " zyx", "The", " owl", " x"});
}

TEST_CASE("masked words of held-out stories lie where the mask is") {
  const auto masked = heldOutMaskedWords(wordsTokenizer(), 3, 300, 100);
  const auto again = heldOutMaskedWords(wordsTokenizer(), 3, 300, 100);
  REQUIRE(masked.size() == 300);
  for (std::size_t i = 0; i < masked.size(); ++i) {
    const MaskedWord& one = masked[i];
    INFO(one.text);
    REQUIRE(one.tokens == again[i].tokens);
    REQUIRE(one.tokens.size() <= 100);
    REQUIRE(std::ranges::count(one.tokens, wordsTokenizer().mask()) == 1);
    REQUIRE(one.tokens[static_cast<std::size_t>(one.position)] == wordsTokenizer().mask());
    std::vector<int> whole = one.tokens;
    whole[static_cast<std::size_t>(one.position)] = one.answer;
    REQUIRE(wordsTokenizer().decode(whole) == "<|endoftext|>" + one.text);
    const std::string word = one.text.substr(one.word.begin, one.word.end - one.word.begin);
    REQUIRE(std::ranges::all_of(word, [](unsigned char c) { return std::isalpha(c) != 0; }));
    REQUIRE((wordsTokenizer().tokenBytes(one.answer) == word ||
             wordsTokenizer().tokenBytes(one.answer) == " " + word));
  }
}
