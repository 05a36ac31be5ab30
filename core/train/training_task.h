#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/model/initialization.h"
#include "core/text/byte_pair_encoding.h"
#include "core/train/trainer.h"
#include "core/watch.h"

namespace glassformer {

/// What makes a training run repeatable besides its data.
struct Recipe {
  std::string task;  ///< "stories"
  std::uint64_t seed = 1;
  int steps = 0;
  ModelConfig config;
  std::string arguments = {};  ///< further arguments of the task: "--file poem.txt --tokenizer bpe"
  std::string data = {};       ///< tells data that were given apart from others; empty: the task's own
  std::string choices = {};    ///< of the config, otherwise than the task has them: "mixing=recurrence"
  std::string numbers = {};    ///< otherwise than the task has them, see changedNumbers()
  InitialScale scale;
  TrainingOptions options;

  /// For the checkpoint: a run is continued only with the recipe it began with.
  std::map<std::string, std::string> description() const;
};

/// A question with exactly one right answer, each as it would be typed. Prompt and answer stand in the text
/// one behind the other; in a model that fills gaps the answer stands in place of the prompt's `<|mask|>`.
struct Example {
  std::string source;  ///< what an encoder-decoder reads beside the text
  std::string prompt, answer;
  bool ends = false;  ///< whether the text is over behind the answer: one that goes on is wrong then
};

/// Something to learn: data without end, and how well a model has learned it. Immutable; everything random
/// depends on the recipe's seed alone.
class TrainingTask {
 public:
  /// The recipe's vocabulary becomes the tokenizer's.
  TrainingTask(Recipe recipe, std::shared_ptr<const Tokenizer> tokenizer);
  TrainingTask(Recipe recipe, BytePairEncoding tokenizer)
      : TrainingTask(std::move(recipe), std::make_shared<const BytePairEncoding>(std::move(tokenizer))) {}
  virtual ~TrainingTask() = default;
  TrainingTask(const TrainingTask&) = delete;

  const Recipe& recipe() const { return recipe_; }
  const Tokenizer& tokenizer() const { return *tokenizer_; }
  /// The data of a step, counted from 1: so many sequences (B).
  virtual Batch batch(int step, int sequences) const = 0;
  /// The same shape as batch(), from what training never shows; any number.
  virtual Batch heldOut(int number, int sequences) const = 0;
  /// As many as the recipe has.
  Batch batch(int step) const { return batch(step, recipe_.options.sequences); }
  Batch heldOut(int number) const { return heldOut(number, recipe_.options.sequences); }
  /// Held-out questions, always the same ones; empty where nothing has exactly one right answer (a text
  /// file).
  virtual std::vector<Example> examples(int count) const = 0;
  /// Markdown: what the model is for, and where the data come from.
  virtual std::string purpose() const = 0;
  /// Markdown: what the model reaches on held-out data; empty where the watch stopped it.
  std::string measure(std::shared_ptr<const Transformer> model, int threads,
                      const ProgressCallback& watch = noProgress) const;

 private:
  /// What measure() is to say. Once the watch says no it may return anything.
  virtual std::string measured(std::shared_ptr<const Transformer> model, int threads,
                               const ProgressCallback& watch) const = 0;

  Recipe recipe_;
  std::shared_ptr<const Tokenizer> tokenizer_;
};

/// Whether the task's data fit a model that is trained by this recipe, and memory holds both. Refuses one
/// of another stack, with a shorter context than its sequences, a smaller vocabulary than its tokenizer's.
Status checkRecipe(const TrainingTask& task, const Recipe& recipe);

/// The task's recipe for another model, everything else alike, where checkRecipe() takes it.
Result<Recipe> recipeFor(const TrainingTask& task, const ModelConfig& config);

/// One run: step by step, so that whoever drives it can show progress, stop and go on.
class TrainingRun {
 public:
  TrainingRun(const std::shared_ptr<const TrainingTask>& task, int threads)
      : TrainingRun(task, task->recipe(), threads) {}
  /// `recipe`: the task's own, or one that recipeFor() made of it.
  TrainingRun(std::shared_ptr<const TrainingTask> task, Recipe recipe, int threads);

  const TrainingTask& task() const { return *task_; }
  const Recipe& recipe() const { return recipe_; }
  Trainer& trainer() { return trainer_; }
  const Trainer& trainer() const { return trainer_; }
  int step() const { return trainer_.state().step; }
  bool finished() const { return step() >= recipe_.steps; }
  StepReport advance() {
    return trainer_.step(task_->batch(step() + 1, recipe_.options.sequencesAt(step() + 1)));
  }
  /// The model as it is now; its weights change with the next step.
  std::shared_ptr<const Transformer> model() const;
  /// The model card: what the model is, its data, recipe and seed. `machine` and `minutes` say where and how
  /// long it was trained. What it reached is the task's to measure().
  std::string card(const std::string& machine, double minutes) const;

 private:
  std::shared_ptr<const TrainingTask> task_;
  Recipe recipe_;
  Trainer trainer_;
};

}  // namespace glassformer
