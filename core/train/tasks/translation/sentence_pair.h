#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/train/tasks/story.h"

namespace glassformer {

namespace translation {
struct Sentence;
}

enum class SentenceKind {
  Settled,  ///< has one translation
  /// "People say that ..." has several. The most probable, "Man sagt, dass ..." (40 %), is the only one that
  /// begins with "Man"; the other five (12 % each) all begin with "Die Leute" (60 %). Who always takes the
  /// most probable word goes wrong at the first; a beam of at least 2 finds the best sentence.
  Hearsay,
};

/// An "it" that could be either of two things that the sentence names: indices of words.
struct ReferenceWords {
  int it = 0, antecedent = 0, other = 0;  ///< English
  int pronoun = 0;                        ///< German
  bool heldOut = false;  ///< the two and what is said of "it" never stand together in training
};

/// A sentence in English and German.
struct SentencePair {
  std::string english, german;
  std::vector<ByteRange> englishWords, germanWords;  ///< words in order, without signs
  /// For each German word the indices of the English words that it stems from, in order. Empty where nothing
  /// in English stands for it. Both parts of a separable verb stem from the whole verb ("macht ... an" from
  /// "turns on"), an auxiliary of the perfect from what tells the tense ("hat" from "did", "has" or
  /// "bought"), "kein" from "not" and "a", "im" from "in" and "the".
  std::vector<std::vector<int>> sources;
  SentenceKind kind = SentenceKind::Settled;
  std::string mostProbable;  ///< the most probable translation; `german` itself where the kind is Settled
  double probability = 1;    ///< of the most probable translation, given the English sentence
  bool heldOut = false;      ///< has a combination of words that training never shows
  std::optional<ReferenceWords> reference;  ///< where "it" could be either of two
};

/// Says a sentence in both languages. Nothing where it has fewer than 3 or more than 22 words in one of them.
std::optional<SentencePair> pairOf(translation::Sentence sentence);

}  // namespace glassformer
