#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/text/tokenizer.h"
#include "core/train/tasks/story.h"

namespace glassformer {

/// Tokens [begin, end) of a sequence.
struct TokenRange {
  int begin = 0, end = 0;
  bool operator==(const TokenRange&) const = default;
};

/// The words of a sequence: letters behind a space or at the beginning of a text. What follows an apostrophe
/// or a quotation mark is none.
std::vector<TokenRange> wordsOf(const Tokenizer& tokenizer, std::span<const int> tokens);

/// A held-out story with one word masked, a word of one token.
struct MaskedWord {
  std::string text;         ///< the story, ends with `<|endoftext|>`
  ByteRange word;           ///< in the text, without the space before it
  std::vector<int> tokens;  ///< `<|endoftext|>` and the story, with `<|mask|>` at `position`
  int position = 0;
  int answer = 0;  ///< the token that was there
};

/// One word each of `count` held-out stories of at most `positions` tokens, any of its words alike.
std::vector<MaskedWord> heldOutMaskedWords(const Tokenizer& tokenizer, std::uint64_t seed, int count,
                                           int positions);

}  // namespace glassformer
