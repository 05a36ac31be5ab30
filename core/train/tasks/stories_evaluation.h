#pragma once
#include <cstdint>
#include <map>
#include <memory>

#include "core/model/transformer.h"
#include "core/text/tokenizer.h"
#include "core/train/tasks/story.h"
#include "core/watch.h"

namespace glassformer {

struct HeadScore {
  int layer = 0, head = 0;
  double score = 0;
};

/// The head that attends from where a kind of question is answered more to what says the answer than to what
/// says the other, in the largest share of questions (its score): to the sentence, where each has its own;
/// else to the word.
struct ReadingHead : HeadScore {
  double attention = 0;  ///< mean, to what says the answer
};

/// What the stories model reached on held-out text: stories with combinations of words that training never
/// showed.
struct StoriesMetrics {
  int stories = 0;
  double loss = 0;  ///< next-token loss, nats per token
  double entropy =
      0;  ///< the generator's own on the same stories: what perfect knowledge of the grammar would lose
  double excess() const { return loss - entropy; }

  /// Questions answered right (the most probable next token is the answer), by kind.
  struct Answers {
    int asked = 0, right = 0;
    double share() const { return asked ? static_cast<double>(right) / asked : 0; }
  };
  std::map<QuestionKind, Answers> answers;

  // Of models that attend.
  /// The head that reads the answer, by kind of question.
  std::map<QuestionKind, ReadingHead> reading;
  HeadScore previousToken;  ///< best mean attention to the token before, on repeated random words
  HeadScore induction;      ///< best mean attention to what followed the last time, on repeated random words
};

struct EvaluationSize {
  int stories = 500;
  int questions = 200;  ///< of "What was too ...?"; others as they come
  int repeats = 20;     ///< texts of repeated random words
};

/// The watch counts the stories; stopped, the metrics are of those measured so far.
StoriesMetrics evaluateStories(std::shared_ptr<const Transformer> model, const Tokenizer& tokenizer,
                               const EvaluationSize& size, std::uint64_t seed, int threads = 2,
                               const ProgressCallback& watch = noProgress);

}  // namespace glassformer
