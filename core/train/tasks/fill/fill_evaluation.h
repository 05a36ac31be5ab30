#pragma once
#include <functional>
#include <span>
#include <vector>

#include "core/train/tasks/fill/masked_words.h"
#include "core/watch.h"

namespace glassformer {

/// The predicted token at each masked place of a sequence, in order.
using FillIn = std::function<std::vector<int>(std::span<const int> tokens)>;

struct FillAccuracy {
  int words = 0, right = 0;
  double share() const { return words ? static_cast<double>(right) / words : 0; }
};

/// How often the masked word is guessed. Here and below the watch counts the words; stopped, what is measured
/// is of those seen so far.
FillAccuracy measureFilling(const FillIn& fill, std::span<const MaskedWord> words,
                            const ProgressCallback& watch = noProgress);

/// What perfect knowledge of the grammar would guess: of the words of one token with which the text is a
/// story, the most probable.
struct BestGuess {
  int token = 0;
  double probability = 0;  ///< given the rest of the story
};
BestGuess bestGuess(const Tokenizer& tokenizer, const MaskedWord& word);

/// The best accuracy that any model can be expected to reach on these words.
struct BestFilling {
  FillAccuracy accuracy;  ///< of the best guesses
  double expected = 0;    ///< mean probability of the best guesses: the same with less chance in it
};
BestFilling measureBestFilling(const Tokenizer& tokenizer, std::span<const MaskedWord> words,
                               const ProgressCallback& watch = noProgress);

}  // namespace glassformer
