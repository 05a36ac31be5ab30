#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/document/training_plan.h"
#include "core/text/tokenizer.h"
#include "core/train/answers.h"
#include "core/train/step_ring.h"
#include "core/train/training_history.h"
#include "core/train/training_task.h"

namespace glassformer {

/// What is known of one of the models that are trained side by side.
struct RunVariant {
  std::string words;  ///< what sets it apart, where there are two: "Norms stand: After"
  ModelConfig config;
  Schedule schedule;                       ///< of the steps that come
  Recipe recipe;                           ///< that it goes by, with this schedule
  double loss = 0, heldOutLoss = 0;        ///< the newest; NaN: not known yet
  double rightShare = -1;                  ///< of the held-out questions; -1: not asked
  std::vector<std::string> groups;         ///< see parameterGroups()
  std::vector<Answered> answers;           ///< to held-out questions, the newest
  std::shared_ptr<const TensorSet> curves; /* training.*, see measureTraining() */
  /// training.{weight, gradient, first_moment, second_moment} of the weight that is watched, at the newest
  /// step.
  std::shared_ptr<const TensorSet> optimizer;
  std::shared_ptr<const StepRing> weights;  ///< at many of its steps
  std::shared_ptr<const StepRing> moments;  ///< both of Adam's, one behind the other, at some of these

  /// The model as it was after a step, or the newest where that is negative.
  std::shared_ptr<const Transformer> modelAt(int step) const;
  /// The newest step at or before one of which both weights and moments are kept; -1 where there is none.
  int stepWithMoments(int atMost) const { return moments->stepShared(*weights, atMost); }
  /// As `optimizer`, but as it was after such a step, and without the gradient; null where there is no such
  /// weight.
  std::shared_ptr<const TensorSet> optimizerAt(int step, const std::string& weight) const;
};

/// What the optimizer has for one weight of a model with these parameters: all of them, and both moments
/// behind one another. `gradient` may be null. SGD has no second moment.
std::shared_ptr<const TensorSet> optimizerOf(const Parameters& parameters, const std::string& weight,
                                             const float* values, const float* gradient,
                                             const float* firstMoment, const float* secondMoment,
                                             OptimizerKind kind);

/// What one side has otherwise than the other: choices and numbers of its config, of its schedule and its
/// optimizer.
std::string setApart(const RunVariant& side, const RunVariant& other);

/// A training run as it stands; immutable once published.
struct RunReport {
  enum class State { Paused, Running, Finished, Diverged };

  std::string name;  ///< "run:sort-2"
  TrainingPlan plan;
  std::shared_ptr<const TrainingTask> task;
  std::shared_ptr<const Tokenizer> tokenizer;
  State state = State::Paused;
  std::string problem;  ///< what went wrong: it diverged, the disk is full; else empty
  int step = 0;
  int steps = 0;               ///< of the whole run
  double tokensPerSecond = 0;  ///< lately, of all sides together; 0: not known
  int savedStep = 0;           ///< of the last checkpoint on disk
  bool measured = false;       ///< the cards of its models say what they reach
  std::uint64_t version = 0;   ///< changes with every report
  TrainingAxis axis;
  RunVariant side;
  std::optional<RunVariant> other;

  /// The step whose weights are shown where `at` is asked for.
  int stepShown(int at) const { return at < 0 ? step : std::max(0, side.weights->stepAt(at)); }
};

/// The run that the shown model is one of, and what is known of it at the step that is shown. Empty where the
/// model is not in training.
struct ShownTraining {
  std::shared_ptr<const RunReport> run;        ///< as it stands
  std::shared_ptr<const RunVariant> side;      ///< which of its models the shown one is
  int step = 0;                                ///< after which the model is shown
  std::shared_ptr<const TensorSet> optimizer;  ///< training.*: of the weight that is watched
  int optimizerStep = 0;                       ///< that step, or the last before it whose moments are kept
  std::shared_ptr<const std::vector<Answered>> answers;  ///< after that step; null: not asked yet
};

}  // namespace glassformer
