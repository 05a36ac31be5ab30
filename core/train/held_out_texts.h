#pragma once
#include <cstdint>
#include <vector>

#include "core/train/training_task.h"

namespace glassformer {

/// What a model reads at once.
struct TokenText {
  std::vector<int> tokens;
  std::vector<int> source;         ///< of an encoder-decoder
  std::vector<bool> counted = {};  ///< [T − 1], see CountedTokens; empty: all
};

/// Rows of the held-out batches of a task, without what fills them up: texts as its model has learned to read
/// them, though none that it has learned. The tokens that its loss is taken over are counted: the repeat in
/// `induction`, the answer in questions. Another seed takes other batches.
std::vector<TokenText> heldOutTexts(const TrainingTask& task, std::uint64_t seed, int count);

/// Random tokens and then the same again, on which induction heads are told from those that know the language
/// (Olsson et al. 2022): behind the end of a text 12 to 30 of the tokens that occur in `texts`, said twice,
/// or as many as fit the context; one for every text, which keeps its source. The tokens of the second half
/// that the first one tells are counted: all but its first. There are tokens that are not special, and the
/// context has room for three.
std::vector<TokenText> repeatedTexts(const std::vector<TokenText>& texts, const Tokenizer& tokenizer,
                                     int context, std::uint64_t seed);

}  // namespace glassformer
