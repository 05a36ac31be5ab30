#include "app/engine/trainee.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <set>

#include "core/io/checkpoint.h"
#include "core/io/safetensors.h"

namespace glassformer {
namespace fs = std::filesystem;

namespace {

constexpr int heldOutBatches = 2, questionsAsked = 32;
constexpr int measurements = 100, timesAsked = 60;  // over a whole run
constexpr const char* ringTensor = "weights";

fs::path checkpointOf(const fs::path& folder, const std::string& name) {
  return folder / (name + ".safetensors");
}
fs::path ringOf(const fs::path& folder, const std::string& name) { return folder / (name + ".weights"); }
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

TensorView like(const TensorView& shape, const float* values) {
  TensorView view = shape;
  view.data = values;
  return view;
}

}  // namespace

Trainee::Trainee(const std::shared_ptr<const TrainingTask>& task, Recipe recipe, int threads,
                 std::size_t budget)
    : run_(task, std::move(recipe), threads),
      opened_(run_.trainer().options().schedule),
      ring_(budget, run_.trainer().model().parameters().values().size()),
      questions_(task->examples(questionsAsked)),
      threads_(threads) {
  run_.trainer().watchGroups(true);
  history_.groups = run_.trainer().groups().count();
  ring_.keep(0, run_.trainer().model().parameters().values());
}

void Trainee::beginWith(const Parameters& parameters) {
  Parameters& own = run_.trainer().model().parameters();
  for (int i = 0; i < own.count(); ++i) {
    float* to = own.values().data() + own.offset(i);
    parameters[own.spec(i).name].forEach([&](const auto&, float value) { *to++ = value; });
  }
  ring_.cutAfter(-1);
  ring_.keep(0, own.values());
}

int Trainee::heldOutEvery() const { return std::max(1, run_.recipe().steps / measurements); }
int Trainee::askEvery() const { return heldOutEvery() * std::max(1, measurements / timesAsked); }

void Trainee::ask() { answers_ = answer(run_.model(), run_.task().tokenizer(), questions_, threads_); }

bool Trainee::advance() {
  const StepReport report = run_.advance();
  stepped_ = true;
  history_.add(report);
  if (!std::isfinite(report.loss) || !std::isfinite(report.gradientNorm)) return false;
  if (ring_.isDue(step())) ring_.keep(step(), run_.trainer().model().parameters().values());
  if (step() % heldOutEvery() == 0 || finished()) measureHeldOut();
  return true;
}

void Trainee::measureHeldOut() {
  if (!history_.heldOut.empty() && history_.heldOut.back().step == step()) return;
  HeldOutReport report{step()};
  for (int i = 0; i < heldOutBatches; ++i)
    report.loss += run_.trainer().loss(run_.task().heldOut(i)) / heldOutBatches;
  const bool asks = !questions_.empty() && (step() % askEvery() == 0 || finished() || answers_.empty());
  if (asks) ask(), report.rightShare = shareRight(answers_);
  history_.heldOut.push_back(report);
}

RunSide Trainee::report(const std::string& watchedWeight) {
  const auto values = run_.trainer().model().parameters().values();
  if (ring_.stepAt(step()) != step()) ring_.keep(step(), values);
  RunSide side;
  side.config = run_.recipe().config;
  side.schedule = run_.trainer().options().schedule, side.openedSchedule = opened_;
  side.groups = run_.trainer().groups().names;
  side.answers = answers_;
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  side.loss = history_.loss.empty() ? unknown : static_cast<double>(history_.loss.back());
  side.heldOutLoss = history_.heldOut.empty() ? unknown : history_.heldOut.back().loss;
  for (const HeldOutReport& report : history_.heldOut)
    if (report.rightShare >= 0) side.rightShare = report.rightShare;
  auto curves = std::make_shared<TensorSet>();
  measureTraining(history_, TrainingAxis::of(run_.recipe().steps), side.schedule, *curves);
  side.curves = std::move(curves);
  side.moments = momentsOf(watchedWeight);
  side.weights = std::make_shared<const WeightRing>(ring_);
  return side;
}

std::shared_ptr<const TensorSet> Trainee::momentsOf(const std::string& weight) {
  const Parameters& parameters = run_.trainer().model().parameters();
  const int i = parameters.find(weight);
  if (i < 0) return nullptr;
  auto set = std::make_shared<TensorSet>();
  const TensorView shape = parameters.view(i);
  const std::string letters = shape.rank == 2 ? "IO" : "O";
  const auto add = [&](const char* name, const char* meaning, const char* equation, const float* values) {
    auto copy = std::make_shared<AlignedVector>(values, values + shape.size());
    const TensorView view = like(shape, copy->data());
    set->add({name, letters, meaning, equation}, view, std::move(copy));
  };
  const std::size_t offset = parameters.offset(i);
  const Trainer& trainer = run_.trainer();
  add("training.weight", "the weight itself", "w", shape.data);
  if (stepped_)
    add("training.gradient", "what the loss of the last batch asks of it", "g = ∂loss / ∂w",
        trainer.gradient().data() + offset);
  add("training.first_moment", "the running mean of its gradient", "m ← β₁ m + (1 − β₁) g",
      trainer.state().firstMoment.data() + offset);
  add("training.second_moment", "the running mean of its gradient squared", "v ← β₂ v + (1 − β₂) g²",
      trainer.state().secondMoment.data() + offset);
  return set;
}

Status Trainee::save(const fs::path& folder, const std::string& name) const {
  std::error_code error;
  const fs::path ring = ringOf(folder, name);
  fs::create_directories(ring, error);
  if (error) return Error{"cannot be made: " + error.message(), ring.string(), ""};
  const std::set<int> there = stepsIn(ring);
  const std::vector<int> steps = ring_.steps();
  for (const int step : steps) {
    if (there.contains(step)) continue;
    const WeightRing::Weights weights = ring_.at(step);
    const NamedTensor tensor{ringTensor, {weights->data(), {static_cast<int>(weights->size())}}};
    if (Status status = writeSafetensors(ringFile(ring, step), {&tensor, 1}); !status) return status;
  }
  if (Status status =
          writeCheckpoint(checkpointOf(folder, name), run_.trainer(), run_.recipe().description(), &history_);
      !status)
    return status;
  for (const int step : there)  // thinned out since
    if (!std::ranges::binary_search(steps, step)) fs::remove(ringFile(ring, step), error);
  return success();
}

Status Trainee::restore(const fs::path& folder, const std::string& name) {
  if (Status status =
          readCheckpoint(checkpointOf(folder, name), run_.trainer(), run_.recipe().description(), &history_);
      !status)
    return status;
  opened_ = run_.trainer().options().schedule;
  ring_.cutAfter(-1);
  const fs::path ring = ringOf(folder, name);
  for (const int step : stepsIn(ring)) {
    const auto stored = StoredTensors::open(ringFile(ring, step));  // what is damaged is left out
    const StoredTensor* weights = stored && step < this->step() ? stored->find(ringTensor) : nullptr;
    if (weights && weights->type == "F32" &&
        weights->valueCount() == run_.trainer().model().parameters().valueCount())
      ring_.keep(step, weights->converted());
  }
  ring_.keep(step(), run_.trainer().model().parameters().values());
  ask();
  return success();
}

}  // namespace glassformer
