#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/random.h"
#include "core/train/tasks/held_out.h"
#include "core/train/training_task.h"

namespace glassformer {

/// What sets a task of short questions apart from others of its kind.
struct Quiz {
  Recipe recipe;        ///< its positions have room for the longest question with its answer
  std::string purpose;  ///< Markdown
  std::shared_ptr<const Tokenizer> tokenizer =
      nullptr;  ///< cuts prompt and answer apart as it cuts them joined; null: characterTokenizer()
  std::function<Example(Random&)> ask;
  /// What of a question decides whether it is held out.
  std::function<std::string(const Example&)> combination = [](const Example& e) { return e.prompt; };
};

/// A text is one question with its only right answer behind it ("dacb>abcd"), and the answer is all that
/// counts in the loss: what is random cannot be learned. A text may end with `<|endoftext|>`, which also
/// fills up the rest of a row: a task without a mask has questions of one length. A tenth of the questions,
/// by a hash of their letters, never appears in training.
class QuestionTask : public TrainingTask {
 public:
  explicit QuestionTask(Quiz quiz);

  Batch batch(int step, int sequences) const override;
  Batch heldOut(int number, int sequences) const override;
  std::vector<Example> examples(int count) const override;
  std::string purpose() const override { return quiz_.purpose; }

 protected:
  /// Held-out questions that nobody else draws with another seed.
  std::vector<Example> heldOutExamples(std::uint64_t seed, int count) const;
  /// The share answered exactly, and what was said instead.
  std::string measured(std::shared_ptr<const Transformer> model, int threads,
                       const ProgressCallback& watch) const override;

 private:
  Example draw(Random& random, Split split) const;
  Batch batchOf(int number, int sequences, std::uint64_t seed, Split split) const;
  void append(const Example& example, Batch& batch) const;

  Quiz quiz_;
};

/// The tokenizer of such tasks: the 256 bytes and `<|endoftext|>`, no merges.
BytePairEncoding characterTokenizer();

/// `length` letters of an alphabet, any of them alike.
std::string randomLetters(Random& random, int length, std::string_view alphabet);
inline constexpr std::string_view lowerCase = "abcdefghijklmnopqrstuvwxyz";

/// The recipe that such tasks start from: a small decoder whose heads form early, large embeddings and a
/// learning rate of 3e-3.
Recipe smallRecipe(std::string task, std::uint64_t seed, int steps, int positions);

}  // namespace glassformer
