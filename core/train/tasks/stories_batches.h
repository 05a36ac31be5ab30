#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/text/byte_pair_encoding.h"
#include "core/train/tasks/held_out.h"
#include "core/train/trainer.h"

namespace glassformer {

/// Batches of the stories corpus: a sequence is stories one after the other from the beginning of one, half
/// of the sequences with the end-of-text sign before it, cut off at T tokens. One sequence in `echoEvery` is
/// an echo instead: random words of the corpus, said again and again, so that induction heads form that work
/// on any repeated text and not only inside a song. Batch `step` depends on the seed, the step and its
/// size alone, so a run can be continued anywhere; no story is ever read twice on purpose.
class StoriesBatches {
 public:
  StoriesBatches(const Tokenizer& tokenizer, std::uint64_t seed, int positions, int echoEvery = 8,
                 Split split = Split::Training);

  Batch batch(int step, int sequences) const;

 private:
  std::vector<int> sequence(std::uint64_t number) const;
  std::vector<int> stories(std::uint64_t number) const;
  std::vector<int> echo(std::uint64_t number) const;

  const Tokenizer& tokenizer_;
  std::uint64_t seed_;
  int positions_;
  std::uint64_t echoEvery_;
  Split split_;
  std::vector<int> words_;
};

/// Ids of the tokens that are a whole word with its space, as the corpus uses them, in order.
std::vector<int> corpusWords(const Tokenizer& tokenizer);

/// The tokenizer of the corpus, learned from its first stories.
BytePairEncoding trainStoriesTokenizer(std::uint64_t seed, int vocabularySize,
                                       const std::vector<std::string_view>& specialNames = {
                                           Tokenizer::endOfTextName});

}  // namespace glassformer
