#include "core/train/tasks/fill/fill_batches.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "core/tensor/operations/loss.h"
#include "core/train/tasks/fill/masked_words.h"

using namespace glassformer;

namespace {

const BytePairEncoding& tokenizer() {
  static const BytePairEncoding encoding = trainFillTokenizer(1, 700);
  return encoding;
}

}  // namespace

TEST_CASE("a fill batch depends on seed and step alone") {
  const FillBatches batches(tokenizer(), 1, 8, 64), other(tokenizer(), 2, 8, 64);
  CHECK(batches.batch(7).tokens == batches.batch(7).tokens);
  CHECK(batches.batch(7).targets == batches.batch(7).targets);
  CHECK(batches.batch(7).tokens != batches.batch(8).tokens);
  CHECK(batches.batch(7).tokens != other.batch(7).tokens);
}

TEST_CASE("about 15 % of the words are masked, whole words, and asked for there and nowhere else") {
  constexpr std::size_t T = 64;
  const FillBatches batches(tokenizer(), 1, 16, T);
  int words = 0, masked = 0;
  for (int step = 0; step < 40; ++step) {
    const Batch batch = batches.batch(step);
    REQUIRE(batch.tokens.size() == 16 * T);
    REQUIRE(batch.targets.size() == batch.tokens.size());
    std::vector<int> whole = batch.tokens;
    for (std::size_t i = 0; i < whole.size(); ++i) {
      REQUIRE((batch.tokens[i] == tokenizer().mask()) == (batch.targets[i] != Targets::none));
      if (batch.targets[i] != Targets::none) whole[i] = batch.targets[i];
    }
    for (std::size_t row = 0; row < whole.size(); row += T)
      for (const TokenRange& word : wordsOf(tokenizer(), std::span(&whole[row], T))) {
        const auto length = static_cast<std::size_t>(word.end - word.begin);
        const auto masks = std::ranges::count(
            std::span(&batch.tokens[row + static_cast<std::size_t>(word.begin)], length), tokenizer().mask());
        ++words;
        masked += masks > 0;
        REQUIRE((masks == 0 || masks == static_cast<std::ptrdiff_t>(length)));
      }
  }
  const double share = static_cast<double>(masked) / words;
  CHECK(share > 0.14);
  CHECK(share < 0.16);
}

TEST_CASE("the fill tokenizer has both special tokens, last") {
  CHECK(tokenizer().vocabularySize() == 700);
  CHECK(tokenizer().mask() == 699);
  CHECK(tokenizer().endOfText() == 698);
  CHECK(tokenizer().encodeIds("The <|mask|> sang.<|endoftext|>").back() == 698);
}
