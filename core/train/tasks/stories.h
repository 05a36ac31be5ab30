#pragma once
#include <cstdint>

#include "core/random.h"
#include "core/train/tasks/held_out.h"
#include "core/train/tasks/story.h"

namespace glassformer {

/// The corpus of the built-in model `stories`: short stories as from a picture book, written by a small
/// probabilistic grammar. Each kind of story is there for something a transformer has to learn:
///   because   "The animal didn't cross the street because it was too tired / wide. What was too tired? The
///   animal ...":
///             wording makes both nouns plausible, only the adjective decides what *it* is
///   gifts, chains, hiding, reasons   who did what with which thing; asked for afterwards
///   songs, secret words, magic words   random words said once and then again word for word (induction heads)
///
/// Splits. A hash of each combination of words (animal, obstacle and adjective; giver, thing and receiver;
/// animal, thing and place; person and act) keeps a tenth of the combinations from training. Training stories
/// have none of those, held-out stories at least one. Both are drawn from the full grammar and thrown away
/// until they fit.
///
/// Log-probability. Story::logProbability is, in both splits, that of the full grammar without any throwing
/// away: the sum of the log-probabilities of its choices. Derivations are unique, because a choice's
/// alternatives differ in what is written next or in words written later, up to the end of the text (a test
/// searches all derivations of many stories and finds one each). So it is the log-probability of the text,
/// and the mean of -logProbability over held-out stories is what a model that knew the grammar perfectly
/// would lose on them. A model trained on the training split could do slightly better there than the full
/// grammar says, and on held-out stories only by generalising as well.
class StoryGenerator {
 public:
  explicit StoryGenerator(std::uint64_t seed, Split split) : random_(seed), split_(split) {}

  Story next();

  /// For checkpoints: a generator made from state() goes on where this one is.
  std::uint64_t state() const { return random_.state(); }

 private:
  Random random_;
  Split split_;
};

}  // namespace glassformer
