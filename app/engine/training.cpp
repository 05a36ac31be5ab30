#include "app/engine/training.h"

#include <algorithm>
#include <chrono>

#ifdef __linux__
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include "core/failure_words.h"

namespace glassformer {
namespace fs = std::filesystem;

namespace {

constexpr double publishSeconds = 0.1, mostPublishSeconds = 1;
constexpr double trainingShare = 12;  // as many times what a report costs lies between two of them

// Drawing and the live model come first: whoever waits for a frame is a person.
void giveWay() {
#ifdef __linux__
  constexpr int politeness = 10;
  setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), politeness);
#endif
}

Error elsewhere(const fs::path& folder) {
  return {"this run is open in another window", folder.string(), "close it there"};
}

}  // namespace

Training::Training(Options options) : options_(std::move(options)), thread_([this] { loop(); }) {}

Training::~Training() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  work_.stop();
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
    if (OpenRun::isIn(entry.path()))
      names.push_back(std::string(runPrefix) + entry.path().filename().string());
  std::ranges::sort(
      names, {}, [this](const std::string& run) { return std::pair(OpenRun::begunAt(folderOf(run)), run); });
  return names;
}

fs::path Training::modelOf(const std::string& run) const { return OpenRun::trainedModelIn(folderOf(run)); }

// Of a run that has a folder of its own from now on.
std::string Training::newName(const std::string& task) const {
  std::error_code error;
  fs::create_directories(options_.folder, error);
  for (int number = 1;; ++number) {
    const std::string name = std::string(runPrefix) + task + "-" + std::to_string(number);
    if (fs::exists(folderOf(name), error)) continue;
    if (fs::create_directory(folderOf(name), error) || error)
      return name;  // else another window has just made it
  }
}

std::string Training::begin(const TrainingPlan& plan, StartingModel start) {
  std::string name = newName(plan.task);
  announce("preparing " + plan.task);
  ask([this, name, plan, start] {
    take(name, Origin::Begun, "preparing " + plan.task, [&](const ProgressCallback& watch) {
      auto run =
          OpenRun::begin(name, folderOf(name), plan, start, {options_.threads, options_.budget}, watch);
      if (run) running_ = true;
      return run;
    });
  });
  return name;
}

std::string Training::branch(int atMost) {
  const auto origin = report();
  if (!origin) return "";
  const std::string doing = "branching off " + origin->name.substr(runPrefix.size());
  std::string name = newName(origin->plan.task);
  announce(doing);
  ask([this, name, doing, atMost] {
    take(name, Origin::Begun, doing, [&](const ProgressCallback& watch) -> Result<std::unique_ptr<OpenRun>> {
      if (!open_) return Error{"no run is open", "", ""};
      return OpenRun::branch(name, folderOf(name), *open_, atMost, watch);
    });
  });
  return name;
}

void Training::open(const std::string& run) {
  if (const auto now = report(); !now || now->name != run)
    announce("opening " + run.substr(runPrefix.size()));
  {
    const std::lock_guard lock(mutex_);
    opening_ = run;
  }
  ask([this, run] {
    if (!open_ || open_->name() != run)
      reopen(run);
    else
      work_.withdraw();
    endOpening(run);
  });
}

// Whoever asked for the run hears of it, also where it stayed closed.
void Training::endOpening(const std::string& run) {
  {
    const std::lock_guard lock(mutex_);
    if (opening_ == run) opening_.clear();
  }
  notify();
}

void Training::reopen(const std::string& run) {
  take(run, Origin::Kept, "opening " + run.substr(runPrefix.size()), [&](const ProgressCallback& watch) {
    return OpenRun::open(run, folderOf(run), {options_.threads, options_.budget}, watch);
  });
}

void Training::go() {
  ask([this] {
    if (!open_ || open_->finished()) return;
    if (open_->isDiverged()) return reopen(std::string(open_->name()));  // the last checkpoint is still good
    running_ = true;
    saved_ = Clock::now();
    publish();
  });
}

void Training::pause() {
  ask([this] {
    if (!open_ || !running_) return;
    running_ = false;
    open_->save();
    publish();
  });
}

void Training::step() {
  ask([this] {
    if (!open_ || running_ || open_->finished() || open_->isDiverged()) return;
    open_->advanceAll();
    if (open_->finished()) return complete();
    publish();
  });
}

void Training::remove(const std::string& run) {
  ask([this, run] {
    const fs::path folder = folderOf(run);
    if (!isRun(run) || !OpenRun::isIn(folder) || (open_ && open_->name() == run)) return;
    const auto held = FileLock::takeFolder(folder);
    std::error_code error;
    if (held) fs::remove_all(folder, error);
    const std::lock_guard lock(mutex_);
    if (!held) problem_ = elsewhere(folder).message();
  });
}

void Training::measure() {
  ask([this] {
    if (open_ && open_->finished()) measureOpen();
  });
}

void Training::watch(const std::string& weight) {
  ask([this, weight] {
    if (watched_ == weight) return;
    watched_ = weight;
    if (open_ && !running_) publish();
  });
}

void Training::setSchedules(const std::string& run, const Schedules& schedules) {
  {
    const std::lock_guard lock(mutex_);
    if (scheduled_ == std::pair(run, schedules)) return;
    scheduled_ = {run, schedules};
  }
  ask([this] { takeSchedules(); });
}

// Kept at once: the steps that follow depend on it.
void Training::takeSchedules() {
  const auto [run, schedules] = [this] {
    const std::lock_guard lock(mutex_);
    return scheduled_;
  }();
  if (!open_ || open_->name() != run || !open_->setSchedules(schedules)) return;
  open_->save();
  publish();
}

std::shared_ptr<const RunReport> Training::report() const {
  const std::lock_guard lock(mutex_);
  return report_;
}

Result<std::shared_ptr<const RunReport>> Training::reportOf(const std::string& run) {
  const std::lock_guard lock(mutex_);
  if (report_ && report_->name == run) return displaced_.reset(), report_;
  // A run was begun, and whoever asks has not heard of it: to open the one before would end it.
  if (displaced_ && displaced_->name == run) return displaced_;
  if (opening_ == run) return std::shared_ptr<const RunReport>();
  return Error{problem_.empty() ? "the run cannot be opened" : problem_, "", ""};
}

std::string Training::refused() const {
  const std::lock_guard lock(mutex_);
  return refused_;
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

void Training::announce(std::string doing) {
  work_.announce(std::move(doing));
  {
    const std::lock_guard lock(mutex_);
    refused_.clear();
  }
  notify();
}

ProgressCallback Training::beginWork(std::string doing, LongWork::Patience patience) {
  ProgressCallback watch = work_.begin(std::move(doing), patience);
  notify();
  return watch;
}

void Training::endWork() {
  work_.end();
  notify();
}

// Runs are told in the order in which they were begun, also where the clock was put back meanwhile.
void Training::putLast(const std::string& run) const {
  auto last = fs::file_time_type::min();
  for (const std::string& each : kept())
    if (each != run) last = std::max(last, OpenRun::begunAt(folderOf(each)));
  OpenRun::setBegunBehind(folderOf(run), last);
}

// Another run takes the place of the open one, which is kept; where it cannot be made, that one stays.
void Training::take(const std::string& run, Origin origin, const std::string& doing, const Make& make) {
  if (open_) open_->save();
  const bool before = std::exchange(running_, false);
  const ProgressCallback watch = beginWork(doing);
  std::optional<FileLock> held;
  const bool isOurs = open_ && open_->name() == run;
  if (!isOurs) held = FileLock::takeFolder(folderOf(run));
  Result<std::unique_ptr<OpenRun>> made = isOurs || held ? make(watch) : elsewhere(folderOf(run));
  if (made && !work_.conclude()) made = Error{"was cancelled", run, ""};  // behind the last look at the watch
  std::error_code ignored;
  if (!made) running_ = before;
  if (!made && origin == Origin::Begun)
    fs::remove_all(folderOf(run), ignored);  // a kept one is never touched
  {
    const std::lock_guard lock(mutex_);
    if (made) displaced_ = origin == Origin::Begun ? report_ : nullptr;
    refused_ = made ? "" : run;
    problem_ = made || work_.isCancelled() ? "" : made.error().message();
  }
  if (made) {
    open_ = std::move(*made);
    if (held) held_ = std::move(held);
    if (origin == Origin::Begun) putLast(run);
    saved_ = Clock::now();
    takeSchedules();
    publish();
  }
  endWork();
}

void Training::trainOnce() {
  open_->advance();
  running_ = !open_->isDiverged() && !open_->finished();
  if (open_->finished()) return complete();
  if (!running_) publish();
}

void Training::complete() {
  open_->save();
  open_->writeModels();
  publish();
  measureOpen();
}

// What a finished run has reached, unless that is known. Whoever asks for another run does not wait for it.
void Training::measureOpen() {
  if (open_->isMeasured()) return;
  open_->measure(beginWork("measuring on held-out data", LongWork::Patience::Yields));
  endWork();
  publish();
}

void Training::publish() {
  auto report = std::make_shared<RunReport>(open_->report(watched_, running_));
  report->version = ++version_;
  published_ = Clock::now();
  {
    const std::lock_guard lock(mutex_);
    report_ = std::move(report);
  }
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
      const double cost = frameSeconds_.load() + followSeconds_.load(),
                   reportEvery = std::clamp(trainingShare * cost, publishSeconds, mostPublishSeconds);
      if (running_) {
        trainOnce();
        if (running_ && secondsSince(saved_) > options_.saveSeconds) open_->save(), saved_ = Clock::now();
        if (secondsSince(published_) > reportEvery) publish();
      }
    } catch (const std::exception& e) {  // out of memory and the like: say it, keep what there is
      running_ = false;
      work_.end(), work_.withdraw();
      {
        const std::lock_guard guard(mutex_);
        problem_ = "training stopped: " + failureWords(e);
        opening_.clear();
      }
      notify();
    }
    lock.lock();
  }
  lock.unlock();
  if (open_) open_->save();
}

}  // namespace glassformer
