#include "core/train/tasks/stories_batches.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

using namespace glassformer;

TEST_CASE("a batch depends on seed and step alone, and targets are the next tokens") {
  const BytePairEncoding tokenizer = trainStoriesTokenizer(1, 600);
  const StoriesBatches batches(tokenizer, 1, 64);
  const Batch batch = batches.batch(7, 16), again = batches.batch(7, 16), next = batches.batch(8, 16);
  CHECK(batch.tokens == again.tokens);
  CHECK(batch.tokens != next.tokens);
  for (std::size_t i = 0; i < batch.tokens.size(); ++i)
    if (i % 64 != 63) REQUIRE(batch.targets[i] == batch.tokens[i + 1]);
  CHECK(std::ranges::all_of(batch.tokens, [&](int t) { return t >= 0 && t < tokenizer.vocabularySize(); }));
}

TEST_CASE("half of the sequences begin with the end-of-text sign, one in eight is an echo") {
  const BytePairEncoding tokenizer = trainStoriesTokenizer(1, 600);
  const StoriesBatches batches(tokenizer, 1, 128);
  const Batch batch = batches.batch(0, 64);
  int signs = 0, echoes = 0;
  for (std::size_t s = 0; s < 64; ++s) {
    const auto sequence = batch.tokens.begin() + static_cast<std::ptrdiff_t>(s * 128);
    signs += *sequence == tokenizer.endOfText();
    for (int period = 8; period < 48; ++period)
      if (std::equal(sequence + period, sequence + 128, sequence)) {
        ++echoes;
        break;
      }
  }
  CHECK(signs == 32);
  CHECK(echoes == 8);
}
