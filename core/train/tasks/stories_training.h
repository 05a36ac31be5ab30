#pragma once
#include <cstdint>
#include <map>
#include <string>

#include "core/model/initialization.h"
#include "core/train/tasks/stories_batches.h"
#include "core/train/tasks/stories_evaluation.h"
#include "core/train/trainer.h"

namespace glassformer {

/// How `stories` is made; the defaults are what ships.
struct StoriesRecipe {
  std::uint64_t seed = 1;
  int steps = 6500;
  int vocabulary = 1024;
  /// Embeddings and positions start large, and positions as sinusoids: with GPT-2's 0.02 attention stays
  /// uniform for thousands of steps.
  InitialScale scale{.embedding = 0.3f, .position = 0.3f, .sinusoidalStart = true};
  int sequences = 16, positions = 128;
  float learningRate = 3e-3f;
  int warmup = 200;

  ModelConfig model(int vocabularySize) const;
  TrainingOptions training() const;
  /// For the checkpoint: a run is continued only with the recipe it began with.
  std::map<std::string, std::string> description() const;
};

/// One training run of `stories`: step by step, so that whoever drives it can show progress, stop and go on.
class StoriesTraining {
 public:
  StoriesTraining(const StoriesRecipe& recipe, int threads);

  const StoriesRecipe& recipe() const { return recipe_; }
  const BytePairEncoding& tokenizer() const { return tokenizer_; }
  Trainer& trainer() { return trainer_; }
  int step() const { return trainer_.state().step; }
  bool finished() const { return step() >= recipe_.steps; }
  StepReport advance() { return trainer_.step(batches_.batch(step() + 1)); }
  StoriesMetrics evaluate(const EvaluationSize& size, int threads) const;

 private:
  StoriesRecipe recipe_;
  BytePairEncoding tokenizer_;
  StoriesBatches batches_;
  Trainer trainer_;
};

/// The model card: what the model is, its data, recipe and seed, and what it reached. `machine` and `minutes`
/// say where and how long it was trained.
std::string storiesCard(const StoriesRecipe& recipe, const ModelConfig& config, std::int64_t parameters,
                        const StoriesMetrics& metrics, const std::string& machine, double minutes);

}  // namespace glassformer
