#include "app/engine/word_merges.h"

#include <catch2/catch_test_macros.hpp>

#include "tests/small_model.h"

using namespace glassformer;

namespace {

// What the steps of all words end in, as the encoder returns it.
std::vector<int> idsOf(const std::vector<WordMerges>& words, const Tokenizer& tokenizer) {
  std::vector<int> ids;
  for (const WordMerges& word : words) {
    if (word.special) {
      ids.push_back(tokenizer.endOfText());
      continue;
    }
    const auto& last = word.steps.empty() ? word.units : word.steps.back().after;
    ids.insert(ids.end(), last.begin(), last.end());
  }
  return ids;
}

}  // namespace

TEST_CASE("the merges of the words end in the tokens of the text, and the words cover it") {
  const auto tokenizer = makeSmallModel("small").tokenizer;
  for (const std::string text : {"The animal didn't cross the street.", "", " ", "a\n\n b",
                                 "\xF0\x9F\x98\x80 caf\xC3\xA9", "\xFF\xC3(", "The<|endoftext|>cat",
                                 "<|endoftext|><|endoftext|>", "\xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D"}) {
    const auto words = mergesOfWords(*tokenizer, text);
    INFO(text);
    CHECK(idsOf(words, *tokenizer) == tokenizer->encodeIds(text));
    std::size_t at = 0;
    for (const WordMerges& word : words) {
      CHECK(word.range.begin == at);
      at = word.range.end;
      std::vector<int> ids = word.units;
      for (const MergeStep& step : word.steps) {
        CHECK(step.before == ids);
        CHECK(
            dynamic_cast<const BytePairEncoding&>(*tokenizer).merges()[static_cast<std::size_t>(step.rank)] ==
            Merge{step.left, step.right});
        ids = step.after;
      }
    }
    CHECK(at == text.size());
  }
}

TEST_CASE("a written-out end of text is a word of its own that nothing is merged in") {
  const auto tokenizer = makeSmallModel("small").tokenizer;
  REQUIRE(tokenizer->endOfText() >= 0);
  const auto words = mergesOfWords(*tokenizer, "The<|endoftext|>");
  REQUIRE(words.size() == 2);
  CHECK(words[1].special);
  CHECK(words[1].range.begin == 3);
  CHECK(words[1].steps.empty());
}

TEST_CASE("a word that is too long has no steps, however long it is") {
  const auto tokenizer = makeSmallModel("small").tokenizer;
  const auto words = mergesOfWords(*tokenizer, std::string(100000, 'a') + " the");
  REQUIRE(words.size() == 2);
  CHECK(words[0].tooLong);
  CHECK(words[0].units.empty());
  CHECK_FALSE(words[1].tooLong);
  CHECK_FALSE(words[1].steps.empty());
}

// A tokenizer that never learned the others says the same.
TEST_CASE("a word joined by the first merges is what a tokenizer makes of it that has these alone") {
  const auto tokenizer = makeSmallModel("small").tokenizer;
  const auto& all = dynamic_cast<const BytePairEncoding&>(*tokenizer);
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, all.merges().size() / 4,
                                  all.merges().size() / 2, all.merges().size()}) {
    std::vector<std::string> tokens;
    std::vector<Merge> merges(all.merges().begin(),
                              all.merges().begin() + static_cast<std::ptrdiff_t>(count));
    for (int id = 0; id < 256 + static_cast<int>(count); ++id) tokens.push_back(all.tokenBytes(id));
    const auto fewer = BytePairEncoding::create(tokens, merges);
    REQUIRE(fewer);
    for (const std::string text : {"The animal didn't cross the street because it was too tired.",
                                   "caf\xC3\xA9 123 \xFF", "aaaaaaa"}) {
      INFO(count << " merges of " << text);
      std::vector<int> ids;
      for (const WordMerges& word : mergesOfWords(*tokenizer, text)) {
        const std::vector<int>& joined = joinedBy(word, static_cast<int>(count));
        ids.insert(ids.end(), joined.begin(), joined.end());
      }
      CHECK(ids == fewer->encodeIds(text));
    }
  }
}
