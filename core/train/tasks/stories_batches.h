#pragma once
#include <cstdint>

#include "core/text/byte_pair_encoding.h"
#include "core/train/trainer.h"

namespace glassformer {

/// Batches of the stories corpus: every sequence is stories one after the other from the beginning of one, half of the
/// sequences with the end-of-text sign before it, cut off at T tokens. Batch `step` depends on the seed and the step
/// alone, so a run can be continued anywhere; no story is ever read twice on purpose.
class StoriesBatches {
 public:
  StoriesBatches(const BytePairEncoding& tokenizer, std::uint64_t seed, int sequences, int positions)
      : tokenizer_(tokenizer), seed_(seed), sequences_(sequences), positions_(positions) {}

  Batch batch(int step) const;

 private:
  std::vector<int> sequence(std::uint64_t number) const;

  const BytePairEncoding& tokenizer_;
  std::uint64_t seed_;
  int sequences_, positions_;
};

/// The tokenizer of the corpus, learned from its first stories.
BytePairEncoding trainStoriesTokenizer(std::uint64_t seed, int vocabularySize);

}  // namespace glassformer
