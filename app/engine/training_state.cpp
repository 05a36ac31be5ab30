#include "app/engine/training_state.h"

#include <cassert>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>

#include "core/io/checkpoint.h"
#include "core/io/safetensors.h"

namespace glassformer {
namespace fs = std::filesystem;

namespace {

constexpr int heldOutBatches = 2, questionsAsked = 32;  // batches of the task's own size
constexpr int measurements = 100, timesAsked = 60;      // over a whole run
constexpr const char *weightsTensor = "weights", *momentsTensor = "moments";  // in the files of the rings

fs::path checkpointOf(const fs::path& folder, const std::string& name) {
  return folder / (name + ".safetensors");
}
fs::path weightsOf(const fs::path& folder, const std::string& name) { return folder / (name + ".weights"); }
fs::path momentsOf(const fs::path& folder, const std::string& name) { return folder / (name + ".moments"); }
fs::path ringFile(const fs::path& ring, int step) { return ring / (std::to_string(step) + ".safetensors"); }

// The steps whose weights lie in a folder, in order.
std::set<int> stepsIn(const fs::path& ring) {
  std::set<int> steps;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(ring, error)) {
    const std::string stem = entry.path().stem().string();
    int step = -1;
    const auto [end, problem] = std::from_chars(stem.data(), stem.data() + stem.size(), step);
    if (problem == std::errc() && end == stem.data() + stem.size() &&
        entry.path().extension() == ".safetensors")
      steps.insert(step);
  }
  return steps;
}

void count(KeptSize& size, const fs::directory_entry& entry) {
  std::error_code error;
  if (!entry.is_regular_file(error)) return;
  size.bytes += entry.file_size(error);
  const fs::path folder = entry.path().parent_path().extension();
  size.weights += folder == ".weights", size.moments += folder == ".moments";
}

// Writes what a ring keeps, each step once, and takes away what it has let go of since.
Status saveRing(const StepRing& ring, const fs::path& folder, const char* name) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return Error{"cannot be made: " + error.message(), folder.string(), ""};
  const std::set<int> there = stepsIn(folder);
  const std::vector<int> steps = ring.steps();
  for (const int step : steps) {
    if (there.contains(step)) continue;
    const StepRing::Values values = ring.at(step);
    const NamedTensor tensor{name, {values->data(), {static_cast<int>(values->size())}}};
    if (Status status = writeSafetensors(ringFile(folder, step), {&tensor, 1}); !status) return status;
  }
  for (const int step : there)
    if (!std::ranges::binary_search(steps, step)) fs::remove(ringFile(folder, step), error);
  return success();
}

// Reads the steps before one; what is damaged is left out.
void restoreRing(StepRing& ring, const fs::path& folder, const char* name, int before) {
  ring.cutAfter(-1);
  for (const int step : stepsIn(folder)) {
    const auto stored = StoredTensors::open(ringFile(folder, step));
    const StoredTensor* values = stored && step < before ? stored->find(name) : nullptr;
    if (values && values->type == "F32" && values->valueCount() == static_cast<std::int64_t>(ring.count()))
      if (auto read = values->converted()) ring.keep(step, *std::move(read));
  }
}

}  // namespace

KeptSize keptIn(const fs::path& folder) {
  KeptSize size;
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(folder, error)) count(size, entry);
  return size;
}

TrainingState::TrainingState(const std::shared_ptr<const TrainingTask>& task, Recipe recipe, int threads,
                             std::size_t budget)
    : run_(task, std::move(recipe), threads),
      weights_(budget / 3 * 2, run_.trainer().model().parameters().values().size(), enoughWeights),
      moments_(budget / 3, 2 * run_.trainer().model().parameters().values().size(), enoughMoments),
      questions_(task->examples(questionsAsked)),
      threads_(threads) {
  run_.trainer().watchGroups(true);
  history_.groups = run_.trainer().groups().count();
  keep();
}

void TrainingState::beginWith(const Parameters& parameters) {
  Parameters& own = run_.trainer().model().parameters();
  for (int i = 0; i < own.count(); ++i) {
    float* to = own.values().data() + own.offset(i);
    parameters[own.spec(i).name].forEach([&](const auto&, float value) { *to++ = value; });
  }
  weights_.cutAfter(-1);
  keep();
}

void TrainingState::branchFrom(const TrainingState& origin, int step) {
  const StepRing::Values weights = origin.weights_.at(step), moments = origin.moments_.at(step);
  assert(origin.branchStep(step) == step);
  std::ranges::copy(*weights, run_.trainer().model().parameters().values().begin());
  const auto middle = moments->begin() + static_cast<std::ptrdiff_t>(weights->size());
  run_.trainer().restore({step, {moments->begin(), middle}, {middle, moments->end()}});
  setSchedule(origin.schedule());
  history_ = origin.history_, weights_ = origin.weights_, moments_ = origin.moments_;
  history_.cutAfter(step), weights_.cutAfter(step), moments_.cutAfter(step);
  answers_.clear();
  ask();
}

// The weights of the newest step are among those kept, whether or not it is due.
void TrainingState::keep() {
  const auto values = run_.trainer().model().parameters().values();
  if (weights_.stepAt(step()) != step()) weights_.keep(step(), values);
  if (!moments_.isDue(step()) || moments_.stepAt(step()) == step()) return;
  const Trainer::State& state = run_.trainer().state();
  AlignedVector both(state.firstMoment);
  both.insert(both.end(), state.secondMoment.begin(), state.secondMoment.end());
  moments_.keep(step(), both);
}

int TrainingState::heldOutEvery() const { return std::max(1, run_.recipe().steps / measurements); }
int TrainingState::askEvery() const { return heldOutEvery() * std::max(1, measurements / timesAsked); }

void TrainingState::ask() { answers_ = answer(run_.model(), run_.task().tokenizer(), questions_, threads_); }

bool TrainingState::advance() {
  const StepReport report = run_.advance();
  stepped_ = true;
  history_.add(report);
  if (!std::isfinite(report.loss) || !std::isfinite(report.gradientNorm)) return false;
  if (weights_.isDue(step())) keep();
  if (step() % heldOutEvery() == 0 || finished()) measureHeldOut();
  return true;
}

void TrainingState::measureHeldOut() {
  if (!history_.heldOut.empty() && history_.heldOut.back().step == step()) return;
  HeldOutReport report{step()};
  // The same sequences, or not many more, whatever the size of a batch.
  const int size = run_.recipe().options.sequences, sequences = run_.task().recipe().options.sequences;
  const int batches = (heldOutBatches * sequences + size - 1) / size;
  for (int i = 0; i < batches; ++i)
    report.loss += run_.trainer().loss(run_.task().heldOut(i, size)) / batches;
  const bool asks = !questions_.empty() && (step() % askEvery() == 0 || finished() || answers_.empty());
  if (asks) ask(), report.rightShare = shareRight(answers_);
  history_.heldOut.push_back(report);
}

RunVariant TrainingState::report(const std::string& watchedWeight) {
  keep();
  RunVariant side;
  side.config = run_.recipe().config;
  side.schedule = schedule();
  side.recipe = run_.recipe(), side.recipe.options.schedule = side.schedule;
  side.groups = run_.trainer().groups().names;
  side.answers = answers_;
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  side.loss = history_.loss.empty() ? unknown : static_cast<double>(history_.loss.back());
  side.heldOutLoss = history_.heldOut.empty() ? unknown : history_.heldOut.back().loss;
  for (const HeldOutReport& report : history_.heldOut)
    if (report.rightShare >= 0) side.rightShare = report.rightShare;
  auto curves = std::make_shared<TensorSet>();
  measureTraining(history_, TrainingAxis::of(run_.recipe().steps), side.recipe.options, *curves);
  side.curves = std::move(curves);
  Trainer& trainer = run_.trainer();
  Parameters& parameters = trainer.model().parameters();
  side.optimizer = optimizerOf(
      parameters, watchedWeight, parameters.values().data(), stepped_ ? trainer.gradient().data() : nullptr,
      trainer.state().firstMoment.data(), trainer.state().secondMoment.data(), side.recipe.options.optimizer);
  side.weights = std::make_shared<const StepRing>(weights_);
  side.moments = std::make_shared<const StepRing>(moments_);
  return side;
}

// The rings first: a checkpoint without its past is worth more than a past without its checkpoint.
Status TrainingState::save(const fs::path& folder, const std::string& name) const {
  if (Status status = saveRing(weights_, weightsOf(folder, name), weightsTensor); !status) return status;
  if (Status status = saveRing(moments_, momentsOf(folder, name), momentsTensor); !status) return status;
  return writeCheckpoint(checkpointOf(folder, name), run_.trainer(), run_.recipe().description(), &history_);
}

Status TrainingState::restore(const fs::path& folder, const std::string& name) {
  if (Status status =
          readCheckpoint(checkpointOf(folder, name), run_.trainer(), run_.recipe().description(), &history_);
      !status)
    return status;
  restoreRing(weights_, weightsOf(folder, name), weightsTensor, step());
  restoreRing(moments_, momentsOf(folder, name), momentsTensor, step());
  keep();
  ask();
  return success();
}

}  // namespace glassformer
