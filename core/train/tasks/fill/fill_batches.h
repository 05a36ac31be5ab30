#pragma once
#include <cstdint>

#include "core/text/byte_pair_encoding.h"
#include "core/train/tasks/stories_batches.h"
#include "core/train/trainer.h"

namespace glassformer {

/// Batches for a model that fills in masked words (Devlin et al. 2019): the sequences of StoriesBatches with
/// 15 % of their words replaced by `<|mask|>`, one for each token of a word. The targets are the tokens that
/// were there, and Targets::none everywhere else. Unlike BERT's, a masked word is never replaced by a random
/// one or kept: what is measured are masks alone. Batch `step` depends on the seed and the step alone.
class FillBatches {
 public:
  static constexpr double share = 0.15;  ///< of words that are masked

  FillBatches(const BytePairEncoding& tokenizer, std::uint64_t seed, int sequences, int positions);

  Batch batch(int step) const;

 private:
  const BytePairEncoding& tokenizer_;
  StoriesBatches stories_;
  std::uint64_t seed_;
  int positions_;
};

/// The tokenizer of the stories with `<|mask|>` as its last token.
BytePairEncoding trainFillTokenizer(std::uint64_t seed, int vocabularySize);

}  // namespace glassformer
