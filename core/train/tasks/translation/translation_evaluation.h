#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/tensor/tensor.h"
#include "core/text/tokenizer.h"
#include "core/train/tasks/translation/sentence_pair.h"
#include "core/watch.h"

namespace glassformer {

/// Pairs that training never shows; of one kind only where it is given.
std::vector<SentencePair> heldOutPairs(std::uint64_t seed, int count, std::optional<SentenceKind> kind = {});
/// Pairs in which "it" could be either of two things, and these two and what is said of it never stand
/// together in training.
std::vector<SentencePair> heldOutReferences(std::uint64_t seed, int count);

/// Tokens of an English sentence to those of its translation, without start and end signs.
using Translate = std::function<std::vector<int>(std::span<const int> source)>;

/// How often the whole translation is the most probable one, word for word and sign for sign. Here and below
/// the watch counts the pairs; stopped, what is measured is of those seen so far.
struct TranslationExactness {
  struct Share {
    int sentences = 0, exact = 0;
    double value() const { return sentences ? static_cast<double>(exact) / sentences : 0; }
  };
  std::map<SentenceKind, Share> byKind;
  Share all() const;

  struct Miss {
    std::string english, expected, translated;
  };
  std::vector<Miss> misses;
};
TranslationExactness measureExactness(const Translate& translate, const Tokenizer& tokenizer,
                                      std::span<const SentencePair> pairs,
                                      const ProgressCallback& watch = noProgress);

/// For each token of the German sentence the tokens of the English one that lie in words it stems from. A
/// token belongs to the word whose letters it has. Empty for signs and words without a source.
std::vector<std::vector<int>> alignedTokens(const SentencePair& pair, const Tokenizer& tokenizer);

/// Cross-attention [T, S] of one head, or the mean of some, while the decoder reads `tokens`: the end-of-text
/// sign and then the German sentence (teacher forcing).
using CrossAttention = std::function<Tensor(std::span<const int> source, std::span<const int> tokens)>;

/// Which row of the attention belongs to a German token.
enum class AlignmentRow {
  Predicting,  ///< where the token is the next one
  Reading,     ///< one later, where the token is the decoder's input (Chen et al. 2020 find it more faithful)
};

/// How often the source token that gets most attention lies in a word that the German token stems from. Only
/// tokens that stem from something count.
struct AlignmentAgreement {
  int tokens = 0, right = 0;
  double share() const { return tokens ? static_cast<double>(right) / tokens : 0; }
};
AlignmentAgreement measureAlignment(const CrossAttention& attention, AlignmentRow row,
                                    const Tokenizer& tokenizer, std::span<const SentencePair> pairs,
                                    const ProgressCallback& watch = noProgress);

/// How often the pronoun that stands for "it" has the right gender. All pairs have a reference; another word
/// in the pronoun's place is wrong, however good.
struct PronounAgreement {
  int sentences = 0, right = 0;
  double share() const { return sentences ? static_cast<double>(right) / sentences : 0; }
};
PronounAgreement measurePronouns(const Translate& translate, const Tokenizer& tokenizer,
                                 std::span<const SentencePair> pairs,
                                 const ProgressCallback& watch = noProgress);

/// The encoder's attention [H, S, S], a tensor a layer, while it reads a source.
using EncoderAttention = std::function<std::vector<Tensor>(std::span<const int> source)>;

/// How an encoder head looks from "it" at what it stands for.
struct ReferenceHead {
  int layer = 0, head = 0;
  int sentences = 0, resolved = 0;  ///< where at least half of the weight falls on the antecedent
  double weight = 0;                ///< on the antecedent, summed over the sentences
  double share() const { return sentences ? static_cast<double>(resolved) / sentences : 0; }
  double meanWeight() const { return sentences ? weight / sentences : 0; }
};
/// Of all heads, layer by layer. All pairs have a reference.
std::vector<ReferenceHead> measureReferenceHeads(const EncoderAttention& attention,
                                                 const Tokenizer& tokenizer,
                                                 std::span<const SentencePair> pairs,
                                                 const ProgressCallback& watch = noProgress);

}  // namespace glassformer
