#pragma once
#include <cstdint>
#include <vector>

#include "core/text/byte_pair_encoding.h"
#include "core/train/tasks/stories_batches.h"
#include "core/train/trainer.h"

namespace glassformer {

/// Batches for a model that fills in masked words (Devlin et al. 2019): the sequences of StoriesBatches, in
/// which some words are chosen, in each sequence another share. Most of those are replaced by `<|mask|>`, one
/// for each token of a word, a few by random words, and the rest stay. The targets are the tokens that were
/// there, and Targets::none everywhere else. Words that stay teach early that what is said where a token
/// stands is that token; heads that copy build on it. Every third sequence is an echo. Batch `step` depends
/// on the seed, the step and its size alone.
class FillBatches {
 public:
  static constexpr double leastShare = 0.05, mostShare = 0.25;  ///< of a sequence's words that are chosen
  static constexpr double masked = 0.8, replaced = 0.05;        ///< of the chosen ones; the rest stay
  static constexpr int echoEvery = 3;

  FillBatches(const Tokenizer& tokenizer, std::uint64_t seed, int positions, Split split = Split::Training);

  Batch batch(int step, int sequences) const;

 private:
  const Tokenizer& tokenizer_;
  StoriesBatches stories_;
  std::uint64_t seed_;
  int positions_;
  std::vector<int> words_;
};

/// The tokenizer of the stories with `<|mask|>` as its last token.
BytePairEncoding trainFillTokenizer(std::uint64_t seed, int vocabularySize);

}  // namespace glassformer
