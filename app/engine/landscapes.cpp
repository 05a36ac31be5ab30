#include "app/engine/landscapes.h"

#include <algorithm>
#include <optional>

#include "app/engine/open_model.h"
#include "app/engine/shown_run.h"
#include "core/train/training_task.h"

namespace glassformer {

namespace {

LandscapeOptions optionsOf(const Workspace& workspace) {
  const LandscapeSettings& s = workspace.settings.landscape;
  return {s.side, s.radius, s.seed};
}

// Why the data of a task say nothing about a model; empty where they do.
std::string unfit(const TrainingTask* task, const OpenModel& open, const ModelConfig& config) {
  if (!task) return "This model has no card with a training task. Open a built-in model (Shift+O).";
  if (!(task->tokenizer() == *open.shown->tokenizer))
    return "This model reads other tokens than the data of " + task->recipe().task + " have.";
  const Result<Recipe> recipe = recipeFor(*task, config);
  return recipe ? "" : "This model cannot read the data of its task: " + recipe.error().message() + ".";
}

// As fine as it is known; null: not at all.
std::shared_ptr<const TensorSet> measured(const LandscapeSurvey& of, const LandscapeSurvey* beside) {
  if (of.known() == 0) return nullptr;
  auto set = std::make_shared<TensorSet>();
  const auto other =
      beside && beside->known() > 0 ? std::optional(beside->landscape(beside->known())) : std::nullopt;
  addLandscape(of.landscape(of.known()), other ? &*other : nullptr, *set);
  set->add({"landscape.points", "2", "number of points measured, and of all points", ""},
           Tensor({2}, {static_cast<float>(of.done()), static_cast<float>(of.total())}));
  return set;
}

// As fine as both are known.
std::shared_ptr<const TensorSet> difference(const LandscapeSurvey& a, const LandscapeSurvey& b) {
  const int side = std::min(a.known(), b.known());
  if (side == 0) return nullptr;
  auto set = std::make_shared<TensorSet>();
  addLandscape(landscapeDifference(a.landscape(side), b.landscape(side)), nullptr, *set);
  return set;
}

}  // namespace

LossData landscapeData(const TrainingTask& task) {
  constexpr int tokens = 1024;
  const TrainingOptions& options = task.recipe().options;
  const int perSequence = options.positions + options.sourcePositions;
  const int sequences = std::clamp(tokens / perSequence, 1, options.sequences);
  Batch batch = task.heldOut(0);
  const auto count = static_cast<std::size_t>(sequences);
  const std::size_t rows = count * static_cast<std::size_t>(options.positions);
  batch.tokens.resize(rows), batch.targets.resize(rows);
  if (options.sourcePositions > 0) {
    batch.source.resize(count * static_cast<std::size_t>(options.sourcePositions));
    batch.sourceLengths.resize(count);
  }
  return {sequences, options.positions, options.sourcePositions, {std::move(batch)}};
}

// Whether it is another one than before.
bool Landscapes::takeUp(Side& side, const std::shared_ptr<const Transformer>& model, const OpenModel& open,
                        const LandscapeOptions& options) {
  if (isOf(side, model, options)) return false;
  side = {model, options, nullptr, {}};
  if (!model) return true;
  side.missing = unfit(open.task.get(), open, model->config());
  if (side.missing.empty())
    side.survey = std::make_unique<LandscapeSurvey>(model->config(), model->parameters(),
                                                    landscapeData(*open.task), options, threads_);
  return true;
}

bool Landscapes::prepare(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin) {
  OpenModel& model = of.model;
  if (isMoving(of.workspace, snapshot)) return false;
  if (!model.task && !model.origin.task.empty()) {
    if (!begin("writing the data of " + model.origin.task)(0, 0)) return false;
    model.task = makeTask(model.origin);
  }
  const LandscapeOptions options = optionsOf(of.workspace);
  const bool first = takeUp(here_, model.shown->transformer, model, options);
  const bool second = takeUp(there_, of.other, model, options);
  return first || second;
}

void Landscapes::measure(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin,
                         const std::function<void()>& more) {
  if (isMoving(of.workspace, snapshot)) return;
  const ProgressCallback watch = begin(doing);
  const ProgressCallback both = [&](int, int) {
    int done = 0, total = 0;
    for (const Side* side : {&here_, &there_})
      if (side->survey) done += side->survey->done(), total += side->survey->total();
    return watch(done, total);
  };
  for (const int level : landscapeLevels(optionsOf(of.workspace).side))
    for (Side* side : {&here_, &there_}) {
      if (!side->survey) continue;
      side->survey->run(level, both, more);
      if (side->survey->known() < level) return;
    }
}

void Landscapes::show(const MeasuredModel& of, Snapshot& snapshot) const {
  if (isMoving(of.workspace, snapshot)) {
    snapshot.kept = {nullptr,
                     "Cannot measure while training. Pause the run or select an earlier checkpoint."};
    return;
  }
  const auto& other = of.other;
  const LandscapeOptions options = optionsOf(of.workspace);
  const bool isHere = isOf(here_, of.model.shown->transformer, options);
  const bool isThere = other && isOf(there_, other, options);
  const LandscapeSurvey* const a = isHere ? here_.survey.get() : nullptr;
  const LandscapeSurvey* const b = isThere ? there_.survey.get() : nullptr;
  const JobResult here{a ? measured(*a, b) : nullptr, isHere ? here_.missing : ""};
  const JobResult there =
      other ? JobResult{b ? measured(*b, a) : nullptr, isThere ? there_.missing : ""} : here;
  const LandscapeSurvey* const minus = other ? b : a;
  put(snapshot, here, there, {a && minus ? difference(*a, *minus) : nullptr, here.missing + there.missing});
}

}  // namespace glassformer
