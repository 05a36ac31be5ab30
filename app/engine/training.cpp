#include "app/engine/training.h"

#include <algorithm>
#include <array>
#include <chrono>

#ifdef __linux__
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include "app/document/training_plan_fields.h"
#include "core/io/files.h"
#include "core/io/model_directory.h"
#include "core/io/text_task_file.h"
#include "core/train/tasks/training_tasks.h"

namespace glassformer {
namespace fs = std::filesystem;

namespace {

constexpr double publishSeconds = 0.1;
constexpr const char* planFile = "plan.json";
constexpr std::array sideNames{"first", "second"};

// Drawing and the live model come first: whoever waits for a frame is a person.
void giveWay() {
#ifdef __linux__
  constexpr int politeness = 5;
  setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), politeness);
#endif
}

Status writePlan(const fs::path& folder, TrainingPlan plan) {
  FieldWriter fields;
  fieldsOf(fields, plan);
  return writeFile(folder / planFile, fields.json().dump(2) + "\n");
}

// What is learned from is kept with the run: the file may change, or go.
Status keepText(const TrainingPlan& plan, const fs::path& kept) {
  if (plan.task != textTaskName) return success();
  std::error_code error;
  fs::create_directories(kept.parent_path(), error);
  fs::copy_file(plan.file, kept, error);
  if (error) return Error{"the text cannot be kept with the run: " + error.message(), kept.string(), ""};
  return success();
}

Result<TrainingPlan> readPlan(const fs::path& folder) try {
  const auto text = readTextFile(folder / planFile);
  if (!text) return text.error();
  const Json json = Json::parse(*text);
  TrainingPlan plan;
  FieldReader fields(json);
  fieldsOf(fields, plan);
  return plan;
} catch (const std::exception& e) {
  return Error{e.what(), (folder / planFile).string(), "the run cannot be taken up again without it"};
}

// See TrainingPlan::schedule.
Schedule changedSchedule(Schedule own, const std::string& words) {
  if (const auto whole = Schedule::parse(words)) return *whole;
  if (words == noWarmup) own.warmup = 0;
  for (const ScheduleKind kind :
       {ScheduleKind::Constant, ScheduleKind::Cosine, ScheduleKind::Transformer2017})
    if (words == nameOf(kind)) own = own.as(kind);
  return own;
}

Result<std::shared_ptr<const TrainingTask>> taskOf(const TrainingPlan& plan, const fs::path& text) {
  if (plan.task == textTaskName)
    return readTextTask(text.empty() ? fs::path(plan.file) : text,
                        plan.characters ? TextTokens::Character : TextTokens::BytePairs, plan.seed,
                        plan.steps);
  const TrainingTaskEntry* entry = findTrainingTask(plan.task);
  if (!entry) return Error{"there is no task of that name", plan.task, ""};
  return entry->make(plan.seed, plan.steps);
}

// Beside the curves of the one, those of the other, to be drawn in the same picture.
void addOtherCurves(RunSide& side, const RunSide& other) {
  auto both = std::make_shared<TensorSet>(*side.curves);
  for (const char* name : {"loss", "held_out_loss", "right_share", "learning_rate", "gradient_norm"}) {
    const int i = other.curves->find(std::string("training.") + name);
    TracePoint point = other.curves->point(i);
    point.name = std::string("training.other_") + name;
    point.meaning += ", of the run beside this one";
    both->add(std::move(point), other.curves->tensor(i), other.curves);
  }
  side.curves = std::move(both);
}

}  // namespace

Result<PlannedRun> planned(const TrainingPlan& plan, const Training::Start& start, const fs::path& text) {
  auto made = taskOf(plan, text);
  if (!made) return made.error();
  PlannedRun run{std::move(*made), {}};
  const TrainingTask& task = *run.task;
  ModelConfig begun = task.recipe().config;
  if (start.model) {
    if (!(*start.tokenizer == task.tokenizer()))
      return Error{"the open model reads other tokens than " + plan.task + " is written in", "model",
                   "begin with random weights"};
    begun = start.model->config();
  }
  const auto add = [&](const ModelChanges& changes, const std::string& schedule) -> Status {
    const auto config = changedConfig(begun, changes);
    if (!config) return config.error();
    auto recipe = recipeFor(task, *config);
    if (!recipe) return recipe.error();
    recipe->options.schedule = changedSchedule(recipe->options.schedule, schedule);
    recipe->options.schedule.steps = recipe->steps;
    recipe->options.schedule.width = config->width;
    run.recipes.push_back(std::move(*recipe));
    return success();
  };
  if (Status status = add(plan.changes, plan.schedule); !status) return status.error();
  if (!plan.two) return run;
  ModelChanges both = plan.changes;
  for (const ModelChange& change : plan.otherChanges) {
    std::erase_if(both, [&](const ModelChange& own) { return own.field == change.field; });
    both.push_back(change);
  }
  const std::string& schedule = plan.otherSchedule.empty() ? plan.schedule : plan.otherSchedule;
  if (Status status = add(both, schedule); !status) return status.error();
  return run;
}

// The open run, on the thread that trains it.
struct Training::Open {
  std::string name;
  fs::path folder;
  TrainingPlan plan;
  std::shared_ptr<const TrainingTask> task;
  std::shared_ptr<const BytePairEncoding> tokenizer;
  std::vector<std::unique_ptr<Trainee>> sides;
  RunReport::State state = RunReport::State::Paused;
  std::string problem;
  std::uint64_t version = 0;
  int savedStep = 0;
  Clock::time_point published = {}, saved = Clock::now();
  double tokens = 0, seconds = 0;  // lately
  double trained = 0;              // seconds, since it was opened

  // Sides go in step: the one behind comes first.
  Trainee& next() {
    return **std::ranges::min_element(sides, {}, [](const auto& side) { return side->step(); });
  }
  int step() const {
    int least = sides.front()->step();
    for (const auto& side : sides) least = std::min(least, side->step());
    return least;
  }
  bool finished() const {
    return std::ranges::all_of(sides, [](const auto& side) { return side->finished(); });
  }
};

Training::Training(Options options) : options_(std::move(options)), thread_([this] { loop(); }) {}

Training::~Training() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void Training::tell(std::function<void()> listener) {
  const std::lock_guard lock(listening_);
  listener_ = std::move(listener);
}

void Training::notify() {
  const std::lock_guard lock(listening_);
  if (listener_) listener_();
}

void Training::ask(std::function<void()> what) {
  {
    const std::lock_guard lock(mutex_);
    asked_.push_back(std::move(what));
  }
  wake_.notify_all();
}

fs::path Training::folderOf(const std::string& run) const {
  return options_.folder / run.substr(isRun(run) ? runPrefix.size() : 0);
}

std::vector<std::string> Training::kept() const {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(options_.folder, error))
    if (fs::exists(entry.path() / planFile, error))
      names.push_back(std::string(runPrefix) + entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

std::string Training::begin(const TrainingPlan& plan, Start start) {
  std::error_code error;
  int number = 1;
  const auto nameOf = [&] { return std::string(runPrefix) + plan.task + "-" + std::to_string(number); };
  while (fs::exists(folderOf(nameOf()), error)) ++number;
  const std::string name = nameOf();
  fs::create_directories(folderOf(name), error);  // taken
  {
    const std::lock_guard lock(mutex_);
    problem_.clear(), doing_ = "preparing " + plan.task, doingSince_ = Clock::now();
  }
  ask([this, name, plan, start] {
    prepare(name, plan, start, false);
    running_ = open_ && open_->name == name;
  });
  return name;
}

void Training::open(const std::string& run) {
  ask([this, run] {
    if (open_ && open_->name == run) return;
    const auto plan = readPlan(folderOf(run));
    if (!plan) {
      const std::lock_guard lock(mutex_);
      problem_ = plan.error().message();
    }
    if (!plan) return notify();
    prepare(run, *plan, {}, true);
  });
}

void Training::go() {
  ask([this] {
    if (!open_ || open_->finished()) return;
    if (open_->state == RunReport::State::Diverged)  // from the last checkpoint, which is still good
      return prepare(std::string(open_->name), TrainingPlan(open_->plan), {}, true);
    running_ = true;
    open_->state = RunReport::State::Running;
    open_->problem.clear();
    open_->saved = Clock::now();
    publish();
  });
}

void Training::pause() {
  ask([this] {
    if (!open_ || !running_) return;
    running_ = false;
    open_->state = RunReport::State::Paused;
    save();
    publish();
  });
}

void Training::step() {
  ask([this] {
    if (!open_ || running_ || open_->finished()) return;
    for (std::size_t i = 0; i < open_->sides.size() && open_->state != RunReport::State::Diverged; ++i)
      trainOnce();
    publish();
  });
}

void Training::watch(const std::string& weight) {
  ask([this, weight] {
    if (watched_ == weight) return;
    watched_ = weight;
    if (open_ && !running_) publish();
  });
}

// Kept at once: the steps that follow depend on it.
void Training::setSchedule(const std::optional<Schedule>& schedule) {
  ask([this, schedule] {
    if (!open_) return;
    for (const auto& side : open_->sides) side->setSchedule(schedule);
    save();
    publish();
  });
}

std::shared_ptr<const RunReport> Training::report() const {
  const std::lock_guard lock(mutex_);
  return report_;
}

Result<std::shared_ptr<const RunReport>> Training::reportOf(const std::string& run) {
  if (auto open = report(); open && open->name == run) return open;
  this->open(run);
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [&] { return asked_.empty() && (!working_ || (report_ && report_->name == run)); });
  if (report_ && report_->name == run) return report_;
  return Error{problem_.empty() ? "the run cannot be opened" : problem_, "", ""};
}

std::optional<Progress> Training::progress() const {
  const std::lock_guard lock(mutex_);
  if (doing_.empty()) return std::nullopt;
  return Progress{doing_, 0, 0, std::chrono::duration<double>(Clock::now() - doingSince_).count()};
}

std::string Training::problem() const {
  const std::lock_guard lock(mutex_);
  return problem_;
}

bool Training::isRunning() const {
  const auto now = report();
  return now && now->state == RunReport::State::Running;
}

void Training::finish() {
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [this] { return asked_.empty() && !working_; });
}

void Training::setDoing(std::string doing) {
  {
    const std::lock_guard lock(mutex_);
    doing_ = std::move(doing), doingSince_ = Clock::now();
  }
  notify();
}

void Training::prepare(const std::string& name, const TrainingPlan& plan, const Start& start, bool stored) {
  if (open_ && open_->name != name) save();
  running_ = false;
  setDoing(stored ? "opening " + taskOfRun(name) : "preparing " + plan.task);
  const auto fail = [&](const Error& error) {
    std::error_code ignored;
    if (!stored) fs::remove_all(folderOf(name), ignored);
    {
      const std::lock_guard lock(mutex_);
      problem_ = error.message(), doing_.clear();
    }
    notify();
  };
  const fs::path text = folderOf(name) / "text" / fs::path(plan.file).filename();
  auto run = planned(plan, start, stored ? text : fs::path());
  if (!run) return fail(run.error());
  auto open = std::make_unique<Open>();
  open->name = name, open->folder = folderOf(name), open->plan = plan, open->task = run->task;
  open->tokenizer = {run->task, &run->task->tokenizer()};
  for (const Recipe& recipe : run->recipes) {
    open->sides.push_back(std::make_unique<Trainee>(run->task, recipe, options_.threads,
                                                    options_.budget / run->recipes.size()));
    Trainee& side = *open->sides.back();
    const std::string sideName = sideNames[open->sides.size() - 1];
    if (stored) {
      if (Status status = side.restore(open->folder, sideName); !status) return fail(status.error());
    } else if (start.model && recipe.config == start.model->config()) {
      side.beginWith(start.model->parameters());
    }
    side.measureHeldOut();
  }
  if (!stored) {
    if (Status status = keepText(plan, text); !status) return fail(status.error());
    if (Status status = writePlan(open->folder, plan); !status) return fail(status.error());
  }
  if (open_) open->version = open_->version;
  open->savedStep = stored ? open->step() : 0;
  if (open->finished()) open->state = RunReport::State::Finished;
  if (!stored) open->state = RunReport::State::Running;
  open_ = std::move(open);
  if (!stored) save();
  {
    const std::lock_guard lock(mutex_);
    doing_.clear(), problem_.clear();
  }
  publish();
}

// A step of the side that is behind.
void Training::trainOnce() {
  const auto before = Clock::now();
  Trainee& side = open_->next();
  const TrainingOptions& options = side.run().recipe().options;
  const bool healthy = side.advance();
  open_->tokens = 0.95 * open_->tokens + options.sequences * (options.positions + options.sourcePositions);
  const double took = std::chrono::duration<double>(Clock::now() - before).count();
  open_->seconds = 0.95 * open_->seconds + took, open_->trained += took;
  if (!healthy) {
    open_->state = RunReport::State::Diverged;
    open_->problem = "the loss is no longer a number at step " + std::to_string(side.step()) +
                     ": look at the steps before it, or go on from step " + std::to_string(open_->savedStep) +
                     " with a lower learning rate";
    running_ = false;
  } else if (open_->finished()) {
    open_->state = RunReport::State::Finished;
    running_ = false;
    save();
  }
}

// Each trained model as a directory that opens like any other.
Status Training::writeModels() {
  const std::string machine = std::to_string(options_.threads) + " threads, in the window";
  for (std::size_t i = 0; i < open_->sides.size(); ++i) {
    TrainingRun& run = open_->sides[i]->run();
    const fs::path folder = open_->folder / (std::string(sideNames[i]) + ".model");
    std::error_code error;
    if (fs::exists(folder / "config.json", error)) continue;
    setDoing("measuring on held-out data");
    const std::string card = run.card(machine, open_->trained / 60, options_.threads);
    setDoing("");
    if (Status status = writeModelDirectory(folder, run.recipe().config, run.trainer().model().parameters(),
                                            open_->task->tokenizer(), card);
        !status)
      return status;
  }
  return success();
}

// What diverged is not kept: the last checkpoint is still good. Without room on the disk training goes on.
void Training::save() {
  if (!open_ || open_->state == RunReport::State::Diverged) return;
  Status status = success();
  for (std::size_t i = 0; i < open_->sides.size() && status; ++i)
    status = open_->sides[i]->save(open_->folder, sideNames[i]);
  if (status && open_->finished()) status = writeModels();
  open_->saved = Clock::now();
  if (status)
    open_->savedStep = open_->step(), open_->problem.clear();
  else
    open_->problem = "the run could not be saved, its last checkpoint is of step " +
                     std::to_string(open_->savedStep) + ": " + status.error().message();
}

void Training::publish() {
  auto report = std::make_shared<RunReport>();
  report->name = open_->name, report->plan = open_->plan;
  report->task = open_->task, report->tokenizer = open_->tokenizer;
  report->state = open_->state, report->problem = open_->problem;
  report->step = open_->step(), report->steps = open_->sides.front()->run().recipe().steps;
  report->tokensPerSecond = open_->seconds > 0 ? open_->tokens / open_->seconds : 0;
  report->savedStep = open_->savedStep;
  report->version = ++open_->version;
  report->axis = TrainingAxis::of(report->steps);
  report->side = open_->sides.front()->report(watched_);
  if (open_->sides.size() > 1) {
    report->other = open_->sides.back()->report(watched_);
    addOtherCurves(report->side, *report->other);
    report->side.words = setApart(report->side, *report->other);
    report->other->words = setApart(*report->other, report->side);
  }
  open_->published = Clock::now();
  {
    const std::lock_guard lock(mutex_);
    report_ = std::move(report);
  }
  idle_.notify_all();
  notify();
}

void Training::loop() {
  giveWay();
  const auto secondsSince = [](Clock::time_point then) {
    return std::chrono::duration<double>(Clock::now() - then).count();
  };
  std::unique_lock lock(mutex_);
  while (true) {
    working_ = running_ || !asked_.empty();
    if (!working_) idle_.notify_all();
    wake_.wait(lock, [this] { return running_ || stopping_ || !asked_.empty(); });
    if (stopping_) break;
    working_ = true;
    std::deque<std::function<void()>> asked = std::exchange(asked_, {});
    lock.unlock();
    try {
      for (const auto& what : asked) what();
      if (running_) {
        trainOnce();
        if (secondsSince(open_->saved) > options_.saveSeconds) save();
        if (!running_ || secondsSince(open_->published) > publishSeconds) publish();
      }
    } catch (const std::exception& e) {  // out of memory and the like: say it, keep what there is
      running_ = false;
      const std::lock_guard guard(mutex_);
      problem_ = std::string("training stopped: ") + e.what(), doing_.clear();
    }
    lock.lock();
  }
  lock.unlock();
  if (open_) save();
}

}  // namespace glassformer
