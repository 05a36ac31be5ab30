#include "app/engine/data_sizes.h"

#include <algorithm>
#include <limits>

#include "app/document/workspace.h"

namespace glassformer {

namespace {

constexpr int lossBatches = 4;

// Trained so briefly, and to its schedule's end.
Recipe briefly(Recipe recipe) {
  recipe.steps = std::min(recipe.steps, dataSizes::mostSteps);
  recipe.options.growth = 1;
  Schedule& schedule = recipe.options.schedule;
  schedule.warmup = std::min(schedule.warmup, recipe.steps / 4);
  schedule.steps = recipe.steps, schedule.later.clear();
  return recipe;
}

class DataSizes final : public JobOfState<DataSizesKey, DataSizeLosses> {
 public:
  using JobOfState::JobOfState;

 private:
  std::optional<DataSizesKey> key(const JobSide& side) const override {
    const ShownTraining& training = *side.snapshot.training;
    if (!training.run || !training.side) return std::nullopt;
    return DataSizesKey{training.run->name, training.run->task, briefly(training.side->recipe)};
  }
  // It does not depend on the text.
  JobResult difference(const JobResult& here, const JobResult&, const Alignments&) const override {
    return here;
  }
};

}  // namespace

bool DataSizesKey::operator==(const DataSizesKey& other) const {
  return run == other.run && task == other.task && recipe.config == other.recipe.config &&
         recipe.description() == other.recipe.description();
}

DataSizeLosses::DataSizeLosses(const DataSizesKey& key, const JobSide&, int threads)
    : threads_(threads), task_(key.task), recipe_(key.recipe) {}

int DataSizeLosses::batchesOf(std::size_t cut) const {
  return std::max(1, recipe_.steps / dataSizes::shares[cut]);
}

bool DataSizeLosses::train(std::size_t cut, const ProgressCallback& watch) {
  TrainingRun run(task_, recipe_, threads_);
  const int sequences = recipe_.options.sequences, batches = batchesOf(cut);
  for (int step = 0; step < recipe_.steps; ++step) {
    if (!watch(step, recipe_.steps)) return false;
    run.trainer().step(task_->batch(step % batches + 1, sequences));
  }
  double heldOut = 0, own = 0;
  const int asked = std::min(lossBatches, batches);
  for (int i = 0; i < lossBatches; ++i)
    heldOut += run.trainer().loss(task_->heldOut(i, sequences)) / lossBatches;
  for (int i = 0; i < asked; ++i) own += run.trainer().loss(task_->batch(i + 1, sequences)) / asked;
  done_.push_back({static_cast<float>(heldOut), static_cast<float>(own)});
  return true;
}

bool DataSizeLosses::goOn(const StartJob& begin, const std::function<void()>& more) {
  if (done_.size() == dataSizes::shares.size()) return true;
  const ProgressCallback watch = begin(doing);
  constexpr int all = static_cast<int>(dataSizes::shares.size());
  while (done_.size() < dataSizes::shares.size()) {
    const int at = static_cast<int>(done_.size());
    if (!train(done_.size(), partOf(watch, at, all))) return false;
    more();
  }
  return true;
}

JobResult DataSizeLosses::result() const {
  auto set = std::make_shared<TensorSet>();
  constexpr int X = static_cast<int>(dataSizes::shares.size());
  Tensor sequences({X}), heldOut({X}), own({X});
  for (int x = 0; x < X; ++x) {
    const auto cut = static_cast<std::size_t>(x);
    const bool isThere = cut < done_.size();
    constexpr float unknown = std::numeric_limits<float>::quiet_NaN();
    sequences(x) = static_cast<float>(batchesOf(cut) * recipe_.options.sequences);
    heldOut(x) = isThere ? done_[cut].heldOut : unknown;
    own(x) = isThere ? done_[cut].own : unknown;
  }
  set->add({dataSizes::sequences, "Z", "number of sequences in the training data", ""}, std::move(sequences));
  set->add(
      {dataSizes::heldOut, "Z", "loss on data that training never shows, in nats", "−mean log p(target)"},
      std::move(heldOut));
  set->add({dataSizes::own, "Z", "loss on the data that were trained on, in nats", "−mean log p(target)"},
           std::move(own));
  set->add({dataSizes::steps, "1", "steps of training on each cut", ""},
           Tensor({1}, {static_cast<float>(recipe_.steps)}));
  return {std::move(set)};
}

namespace needs {
const Need lossByDataSize{.name = "loss by size of data", .kept = keptAs<DataSizes>};
}  // namespace needs

}  // namespace glassformer
