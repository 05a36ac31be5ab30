#pragma once
#include <string>
#include <vector>

#include "app/document/tokenized_text.h"
#include "core/text/tokenizer.h"

namespace glassformer {

/// A piece of the text inside which bytes or characters are merged, and how its tokens came about.
struct WordMerges {
  ByteRange range;         ///< of the text
  std::string joined;      ///< the bytes as they are joined: composed, or with a space in front
  std::vector<int> units;  ///< the tokens of single bytes or characters: where the merges start
  bool areCharacters = false;
  std::vector<MergeStep> steps;
  bool special = false;  ///< the end of a text, written out: taken as it is
  bool tooLong = false;  ///< for its steps to be kept
};

/// The tokens of a word where only the first so many merges are known. Of a word the merge of lowest rank is
/// done first, and so the steps up to there are the same.
const std::vector<int>& joinedBy(const WordMerges& word, int merges);

/// Every word of a text with its merges, in order; they cover the text. A word longer than `longest` bytes
/// has no steps: each of them is as long as the word. Nothing where the tokenizer merges nothing.
std::vector<WordMerges> mergesOfWords(const Tokenizer& tokenizer, std::string_view text,
                                      std::size_t longest = 64);

}  // namespace glassformer
