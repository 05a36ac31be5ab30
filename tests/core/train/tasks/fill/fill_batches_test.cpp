#include "core/train/tasks/fill/fill_batches.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include "core/tensor/operations/loss.h"
#include "core/train/tasks/fill/masked_words.h"

using namespace glassformer;
using Catch::Matchers::WithinAbs;

namespace {

const BytePairEncoding& tokenizer() {
  static const BytePairEncoding encoding = trainFillTokenizer(1, 700);
  return encoding;
}

}  // namespace

TEST_CASE("a fill batch depends on seed and step alone") {
  const FillBatches batches(tokenizer(), 1, 64), other(tokenizer(), 2, 64);
  CHECK(batches.batch(7, 8).tokens == batches.batch(7, 8).tokens);
  CHECK(batches.batch(7, 8).targets == batches.batch(7, 8).targets);
  CHECK(batches.batch(7, 8).tokens != batches.batch(8, 8).tokens);
  CHECK(batches.batch(7, 8).tokens != other.batch(7, 8).tokens);
}

TEST_CASE("whole words are chosen, most of them masked, and asked for there and nowhere else") {
  constexpr std::size_t T = 64;
  const FillBatches batches(tokenizer(), 1, T);
  int words = 0, chosen = 0, masked = 0, kept = 0;
  for (int step = 0; step < 40; ++step) {
    const Batch batch = batches.batch(step, 16);
    REQUIRE(batch.tokens.size() == 16 * T);
    REQUIRE(batch.targets.size() == batch.tokens.size());
    std::vector<int> whole = batch.tokens;
    for (std::size_t i = 0; i < whole.size(); ++i)
      if (batch.targets[i] != Targets::none) whole[i] = batch.targets[i];
    for (std::size_t row = 0; row < whole.size(); row += T) {
      int asked = 0;
      for (const TokenRange& word : wordsOf(tokenizer(), std::span(&whole[row], T))) {
        const auto begin = row + static_cast<std::size_t>(word.begin),
                   length = static_cast<std::size_t>(word.end - word.begin);
        const std::span<const int> was(&whole[begin], length), is(&batch.tokens[begin], length),
            target(&batch.targets[begin], length);
        ++words;
        if (std::ranges::count(target, Targets::none) == static_cast<std::ptrdiff_t>(length)) continue;
        REQUIRE(std::ranges::equal(target, was));
        asked += static_cast<int>(length), ++chosen;
        const auto masks = std::ranges::count(is, tokenizer().mask());
        REQUIRE((masks == 0 || masks == static_cast<std::ptrdiff_t>(length)));
        masked += masks > 0, kept += std::ranges::equal(is, was);
      }
      const auto targets = std::span(&batch.targets[row], T);
      REQUIRE(std::ranges::count_if(targets, [](int t) { return t != Targets::none; }) == asked);
    }
  }
  CHECK_THAT(static_cast<double>(chosen) / words, WithinAbs(0.15, 0.015));
  CHECK_THAT(static_cast<double>(masked) / chosen, WithinAbs(FillBatches::masked, 0.03));
  CHECK_THAT(static_cast<double>(kept) / chosen, WithinAbs(0.15, 0.03));
}

TEST_CASE("the fill tokenizer has both special tokens, last") {
  CHECK(tokenizer().vocabularySize() == 700);
  CHECK(tokenizer().mask() == 699);
  CHECK(tokenizer().endOfText() == 698);
  CHECK(tokenizer().encodeIds("The <|mask|> sang.<|endoftext|>").back() == 698);
}
