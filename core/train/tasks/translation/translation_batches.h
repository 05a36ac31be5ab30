#pragma once
#include <cstdint>

#include "core/text/byte_pair_encoding.h"
#include "core/train/tasks/held_out.h"
#include "core/train/tasks/piece_table.h"
#include "core/train/trainer.h"

namespace glassformer {

struct SentencePair;

/// Batches of the translation corpus. Batch `step` depends on the seed, the step and its size alone, so a run
/// can be continued anywhere; no sentence is ever read twice on purpose. Sentences of more tokens than there
/// is room for are left out; with S = T = 40 and the recipe's vocabulary that is one in thousands.
class TranslationBatches {
 public:
  TranslationBatches(const Tokenizer& tokenizer, std::uint64_t seed, int sourcePositions, int targetPositions,
                     Split split = Split::Training);

  /// Sources and texts are filled up with the end-of-text sign, which a text also begins with; its targets
  /// end with that sign.
  Batch batch(int step, int sequences) const;

 private:
  void add(std::uint64_t number, Batch& batch) const;

  const Tokenizer& tokenizer_;
  PieceTable pieces_;
  std::uint64_t seed_;
  int sourcePositions_, targetPositions_;
  Split split_;
};

/// The joint tokenizer of both languages, learned from the corpus's first sentences.
BytePairEncoding trainTranslationTokenizer(std::uint64_t seed, int vocabularySize);

}  // namespace glassformer
