#pragma once
#include <cstdint>

#include "core/random.h"
#include "core/train/tasks/held_out.h"
#include "core/train/tasks/translation/sentence_pair.h"

namespace glassformer {

/// The corpus of the built-in model `translate`: English sentences with their German translations. A sentence
/// is drawn as a structure (translation/clause.h) and said in each language by that language's own rules, so
/// that words change order as they really do: verb second after whatever begins the sentence, verb last in
/// subordinate clauses, infinitives, participles and prefixes at the end. The English sentence decides its
/// translation, by rules that hold everywhere in the corpus:
///   past      told in the perfect, but in the preterite of sein, haben, wissen, mögen, gehören, überqueren
///   and modals present   stands for "buys" and "is buying" alike it        is er, sie or es by the gender of
///   the only thing the sentence has named, or, where it has
///             named two, of the one that can be what is said of it: a street is wide, an animal tired
///   order     subject, pronouns, definite objects, adverbs of time, indefinite objects, nicht, places
/// The one exception, on purpose, is SentenceKind::Hearsay.
///
/// Splits. A hash of each combination (subject and verb, verb and object, adjective and noun; both things
/// that "it" could be and what is said of it) keeps a tenth of the combinations from training. Training
/// sentences have none of those, held-out sentences at least one. A sentence has 3 to 22 words in either
/// language.
class TranslationGenerator {
 public:
  explicit TranslationGenerator(std::uint64_t seed, Split split) : random_(seed), split_(split) {}

  SentencePair next();

  /// For checkpoints: a generator made from state() goes on where this one is.
  std::uint64_t state() const { return random_.state(); }

 private:
  Random random_;
  Split split_;
};

}  // namespace glassformer
