#include "app/engine/open_run.h"

#include <algorithm>
#include <array>
#include <chrono>

#include "app/document/training_plan_json.h"
#include "core/io/files.h"
#include "core/io/model_directory.h"
#include "core/train/tasks/training_tasks.h"

namespace glassformer {
namespace fs = std::filesystem;

namespace {

constexpr const char* planFile = "plan.json";
constexpr std::string_view notMeasured = "Not measured.\n";
constexpr std::array sideNames{"first", "second"};

Status writePlan(const fs::path& folder, const TrainingPlan& plan) {
  return writeFile(folder / planFile, toJsonText(plan));
}

Error stopped(const TrainingPlan& plan) { return {"was cancelled", plan.task, ""}; }

// What is learned from is kept with the run: the file may change, or go.
Status keepText(const TrainingPlan& plan, const fs::path& kept) {
  if (plan.task != textTaskName) return success();
  std::error_code error;
  fs::create_directories(kept.parent_path(), error);
  fs::copy_file(plan.file, kept, error);
  if (error) return Error{"cannot save the text with the run: " + error.message(), kept.string(), ""};
  return success();
}

Result<TrainingPlan> readPlan(const fs::path& folder) {
  const auto text = readTextFile(folder / planFile);
  if (!text) return text.error();
  return planFromJson(*text, (folder / planFile).string());
}

// Beside the curves of the one, those of the other, to be drawn in the same picture.
void addOtherCurves(RunVariant& side, const RunVariant& other) {
  auto both = std::make_shared<TensorSet>(*side.curves);
  for (const char* name : {"loss", "held_out_loss", "right_share", "learning_rate", "gradient_norm",
                           "clipping", "clipped_share", "heads_apart"}) {
    const int i = other.curves->find(std::string("training.") + name);
    if (i < 0) continue;  // nothing is clipped
    TracePoint point = other.curves->point(i);
    point.name = std::string("training.other_") + name;
    point.meaning += ", of the second run";
    both->add(std::move(point), other.curves->tensor(i), other.curves);
  }
  side.curves = std::move(both);
}

}  // namespace

bool OpenRun::isIn(const fs::path& folder) {
  std::error_code error;
  return fs::exists(folder / planFile, error);
}

Result<TrainingPlan> OpenRun::planIn(const fs::path& folder) { return readPlan(folder); }

fs::file_time_type OpenRun::begunAt(const fs::path& folder) {
  std::error_code error;
  return fs::last_write_time(folder / planFile, error);
}

void OpenRun::setBegunBehind(const fs::path& folder, fs::file_time_type other) {
  std::error_code ignored;
  if (begunAt(folder) <= other)
    fs::last_write_time(folder / planFile, other + std::chrono::milliseconds(1), ignored);
}

Status OpenRun::copy(const fs::path& folder, const fs::path& to) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.path().filename() != planFile && !error)
      fs::copy(entry.path(), to / entry.path().filename(), fs::copy_options::recursive, error);
  if (error) return Error{"cannot be copied: " + error.message(), folder.string(), "is there room for it?"};
  const auto plan = readTextFile(folder / planFile);
  return plan ? writeFile(to / planFile, *plan) : Status(plan.error());
}

fs::path OpenRun::text() const { return folder_ / "text" / fs::path(plan_.file).filename(); }

void OpenRun::addSides(const PlannedRun& run) {
  task_ = run.task;
  tokenizer_ = {run.task, &run.task->tokenizer()};
  for (const Recipe& recipe : run.recipes)
    sides_.push_back(std::make_unique<TrainingState>(task_, recipe, options_.threads,
                                                     options_.budget / run.recipes.size()));
}

Result<std::unique_ptr<OpenRun>> OpenRun::begin(std::string name, fs::path folder, const TrainingPlan& plan,
                                                const StartingModel& start, const Options& options,
                                                const ProgressCallback& watch) {
  auto run = planned(plan, start);
  if (!run) return run.error();
  std::unique_ptr<OpenRun> open(new OpenRun(std::move(name), std::move(folder), plan, options));
  open->addSides(*run);
  for (const auto& side : open->sides_) {
    if (!watch(0, 0)) return stopped(plan);
    if (start.model && side->run().recipe().config == start.model->config())
      side->beginWith(start.model->parameters());
    side->measureHeldOut();
  }
  if (!watch(0, 0)) return stopped(plan);
  if (Status status = open->keep(); !status) return status.error();
  return open;
}

Result<std::unique_ptr<OpenRun>> OpenRun::open(std::string name, fs::path folder, const Options& options,
                                               const ProgressCallback& watch) {
  const auto plan = readPlan(folder);
  if (!plan) return plan.error();
  std::unique_ptr<OpenRun> open(new OpenRun(std::move(name), std::move(folder), *plan, options));
  auto run = planned(*plan, {}, open->text());
  if (!run) return run.error();
  open->addSides(*run);
  for (std::size_t i = 0; i < open->sides_.size(); ++i) {
    if (!watch(0, 0)) return stopped(*plan);
    if (Status status = open->sides_[i]->restore(open->folder_, sideNames[i]); !status) return status.error();
  }
  if (!watch(0, 0)) return stopped(*plan);
  open->savedStep_ = open->openedStep_ = open->step();
  const auto card = readTextFile(open->modelOf(0) / cardFile);
  open->measured_ = card && !card->ends_with(notMeasured);
  return open;
}

Result<std::unique_ptr<OpenRun>> OpenRun::branch(std::string name, fs::path folder, const OpenRun& origin,
                                                 int atMost, const ProgressCallback& watch) {
  const int step = origin.branchStep(atMost);
  if (step < 0) return Error{"it is not saved any more", "step " + std::to_string(atMost), ""};
  TrainingPlan plan = origin.plan_;
  plan.file = origin.plan_.task == textTaskName ? origin.text().string() : "";
  plan.from = origin.name_.substr(runPrefix.size()) + ", step " + std::to_string(step);
  std::unique_ptr<OpenRun> open(new OpenRun(std::move(name), std::move(folder), plan, origin.options_));
  open->task_ = origin.task_, open->tokenizer_ = origin.tokenizer_;
  for (const auto& side : origin.sides_) {
    if (!watch(0, 0)) return stopped(plan);
    const Recipe& recipe = side->run().recipe();
    open->sides_.push_back(std::make_unique<TrainingState>(open->task_, recipe, origin.options_.threads,
                                                           origin.options_.budget / origin.sides_.size()));
    open->sides_.back()->branchFrom(*side, step);
  }
  if (Status status = open->keep(); !status) return status.error();
  open->openedStep_ = step;
  return open;
}

// What is written once, at the beginning, and the first checkpoint.
Status OpenRun::keep() {
  if (Status status = keepText(plan_, text()); !status) return status;
  if (Status status = writePlan(folder_, plan_); !status) return status;
  save();
  return success();
}

int OpenRun::branchStep(int atMost) const {
  int step = atMost;
  for (bool agreed = false; !agreed && step >= 0;) {
    agreed = true;
    for (const auto& side : sides_)
      if (const int own = side->branchStep(step); own != step) step = own, agreed = false;
  }
  return step;
}

int OpenRun::step() const {
  int least = sides_.front()->step();
  for (const auto& side : sides_) least = std::min(least, side->step());
  return least;
}

bool OpenRun::finished() const {
  return !diverged_ && std::ranges::all_of(sides_, [](const auto& side) { return side->finished(); });
}

void OpenRun::advance() {
  using Clock = std::chrono::steady_clock;
  const auto before = Clock::now();
  TrainingState& side = **std::ranges::min_element(sides_, {}, [](const auto& each) { return each->step(); });
  const TrainingOptions& options = side.run().recipe().options;
  diverged_ = !side.advance();
  const double took = std::chrono::duration<double>(Clock::now() - before).count();
  tokens_ = 0.95 * tokens_ + options.sequencesAt(side.step()) * (options.positions + options.sourcePositions);
  seconds_ = 0.95 * seconds_ + took, trained_ += took;
  if (diverged_)
    problem_ = "the loss is no longer a number at step " + std::to_string(side.step()) +
               ": go to the steps before it, or continue from step " + std::to_string(savedStep_) +
               " with a lower learning rate";
}

void OpenRun::advanceAll() {
  for (std::size_t i = 0; i < sides_.size() && !diverged_; ++i) advance();
}

bool OpenRun::setSchedules(const Schedules& schedules) {
  bool changed = false;
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    const Schedule schedule = schedules[i].value_or(sides_[i]->schedule());
    changed |= schedule != sides_[i]->schedule();
    sides_[i]->setSchedule(schedule);
  }
  return changed;
}

void OpenRun::setSaved(const Status& status) {
  if (status)
    savedStep_ = step(), problem_.clear();
  else
    problem_ = "the run could not be saved, its last checkpoint is of step " + std::to_string(savedStep_) +
               ": " + status.error().message();
}

void OpenRun::save() {
  if (diverged_) return;
  Status status = success();
  for (std::size_t i = 0; i < sides_.size() && status; ++i) status = sides_[i]->save(folder_, sideNames[i]);
  setSaved(status);
}

namespace {

fs::path modelIn(const fs::path& folder, std::size_t side) {
  return folder / (std::string(sideNames[side]) + ".model");
}

}  // namespace

fs::path OpenRun::trainedModelIn(const fs::path& folder) { return modelIn(folder, 0); }

fs::path OpenRun::modelOf(std::size_t side) const { return modelIn(folder_, side); }

// Without what it reaches, for that takes longest.
Status OpenRun::writeModel(std::size_t side) const {
  const TrainingRun& run = sides_[side]->run();
  const std::string machine = std::to_string(options_.threads) + " threads, in the window" +
                              (openedStep_ > 0 ? " (since step " + std::to_string(openedStep_) + ")" : "");
  return writeModelDirectory(modelOf(side), run.recipe().config, run.trainer().model().parameters(),
                             task_->tokenizer(), run.card(machine, trained_ / 60) + std::string(notMeasured));
}

// Whether the card says now what the model reaches: not where the watch stopped it.
Result<bool> OpenRun::measure(std::size_t side, const ProgressCallback& watch) {
  const fs::path path = modelOf(side) / cardFile;
  const auto card = readTextFile(path);
  if (!card) return card.error();
  if (!card->ends_with(notMeasured)) return true;
  const std::string measured = task_->measure(sides_[side]->run().model(), options_.threads, watch);
  if (measured.empty()) return false;
  const Status written = writeFile(path, card->substr(0, card->size() - notMeasured.size()) + measured);
  if (!written) return written.error();
  return true;
}

void OpenRun::writeModels() {
  for (std::size_t i = 0; i < sides_.size(); ++i)
    if (Status status = writeModel(i); !status) return setSaved(status);
}

void OpenRun::measure(const ProgressCallback& watch) {
  const auto sides = static_cast<int>(sides_.size());
  measured_ = true, unwritten_.clear();
  for (int i = 0; i < sides && measured_; ++i) {
    const Result<bool> side = measure(static_cast<std::size_t>(i), partOf(watch, i, sides));
    measured_ = side && *side;
    if (!side) unwritten_ = "cannot write the results: " + side.error().message();
  }
}

RunReport OpenRun::report(const std::string& watchedWeight, bool running) {
  RunReport report;
  report.name = name_, report.plan = plan_, report.task = task_, report.tokenizer = tokenizer_;
  report.state = diverged_    ? RunReport::State::Diverged
                 : finished() ? RunReport::State::Finished
                 : running    ? RunReport::State::Running
                              : RunReport::State::Paused;
  report.problem = problem_.empty() ? unwritten_ : problem_;
  report.step = step(), report.steps = sides_.front()->run().recipe().steps;
  report.tokensPerSecond = seconds_ > 0 ? tokens_ / seconds_ : 0;
  report.savedStep = savedStep_, report.measured = measured_;
  report.axis = TrainingAxis::of(report.steps);
  report.side = sides_.front()->report(watchedWeight);
  if (sides_.size() > 1) {
    report.other = sides_.back()->report(watchedWeight);
    addOtherCurves(report.side, *report.other);
    report.side.words = setApart(report.side, *report.other);
    report.other->words = setApart(*report.other, report.side);
  }
  return report;
}

}  // namespace glassformer
