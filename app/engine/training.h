#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "app/engine/long_work.h"
#include "app/engine/open_run.h"
#include "core/io/file_lock.h"

namespace glassformer {

/// Trains models on a thread of its own, one run at a time. What it does is published as reports, several
/// times a second; what it has done is kept on disk, so that a run goes on where it was after the window was
/// closed, or the program killed: with the same weights, to the bit, as if nothing had happened. Several
/// windows may keep their runs in one folder: a run that is open in one stays closed in the others.
class Training {
 public:
  struct Options {
    std::filesystem::path folder;  ///< where runs are kept, each in a folder of its own
    int threads = 2;
    std::size_t budget = std::size_t{384} << 20;  ///< bytes of weights and moments of all sides
    double saveSeconds = 10;                      ///< from one checkpoint to the next
  };

  explicit Training(Options options);
  /// Stops, and saves.
  ~Training();
  Training(const Training&) = delete;
  Training& operator=(const Training&) = delete;

  /// Whom to tell of every new report, on the thread that trains; an empty function: nobody, from now on.
  void tell(std::function<void()> listener);

  // What follows returns at once; the thread takes it up between two steps.

  /// Begins a run, and pauses the one before. Returns its name.
  std::string begin(const TrainingPlan& plan, StartingModel start = {});
  /// Begins a run that goes on from a step of the open one, or from shortly before it, with the bits it had
  /// then; paused. Returns its name.
  std::string branch(int atMost);
  /// Opens a run from disk, paused, unless it is open.
  void open(const std::string& run);
  void go();
  void pause();
  /// One step, of a run that is paused.
  void step();
  /// Measures on held-out data what a finished run has reached; done by itself at its end, unless cancelled.
  void measure();
  /// Takes a run off the disk, unless it is open, here or in another window.
  void remove(const std::string& run);
  /// Which weight's moments are reported.
  void watch(const std::string& weight);
  /// Those that a run goes by from here on whenever it is open, until it is told others. Asked for again, it
  /// costs nothing.
  void setSchedules(const std::string& run, const Schedules& schedules);
  /// Stops what progress() tells of: a run that is prepared is not begun, one that is opened stays closed,
  /// one that is measured stays as it is. False: there is nothing to stop, or it is too late for that.
  bool cancel() { return work_.cancel(); }

  /// How long the last frame took, and what was computed for the last report, in seconds: where either is
  /// slow there are fewer reports, so that most of the machine is left for training.
  void drawn(double seconds) { frameSeconds_ = seconds; }
  void followed(double seconds) { followSeconds_ = seconds; }

  /// Of the open run; null: none is.
  std::shared_ptr<const RunReport> report() const;
  /// Of a run that is open; null: it is being opened. After another was begun, what was known of it last,
  /// until that one was asked for. An error says why a run is closed; nothing is waited for, and none is
  /// opened.
  Result<std::shared_ptr<const RunReport>> reportOf(const std::string& run);
  /// What keeps it from training: a run that is prepared or opened, or measured at its end; nothing at most
  /// times.
  std::optional<Progress> progress() const { return work_.progress(); }
  /// The run that could not be begun or opened, or was cancelled then; empty where the last one could.
  std::string refused() const;
  /// Why, or why training stopped; empty where nothing is wrong.
  std::string problem() const;
  bool isRunning() const;
  /// Waits until everything asked for is done, and the run is paused or has ended. For tests.
  void finish();
  /// Names of the runs on disk, in the order in which they were begun.
  std::vector<std::string> kept() const;
  std::filesystem::path folderOf(const std::string& run) const;
  /// Where its trained model lies, once it is through.
  std::filesystem::path modelOf(const std::string& run) const;
  /// What is kept of a run on the disk.
  KeptSize sizeOf(const std::string& run) const { return keptIn(folderOf(run)); }
  /// How it was set up.
  Result<TrainingPlan> planOf(const std::string& run) const { return OpenRun::planIn(folderOf(run)); }

 private:
  using Clock = std::chrono::steady_clock;

  void ask(std::function<void()> what);
  void loop();
  using Make = std::function<Result<std::unique_ptr<OpenRun>>(const ProgressCallback& watch)>;
  /// Where the run that takes the place of the open one comes from.
  enum class Origin { Begun, Kept };
  std::string newName(const std::string& task) const;
  void putLast(const std::string& run) const;
  void take(const std::string& run, Origin origin, const std::string& doing, const Make& make);
  void reopen(const std::string& run);
  void endOpening(const std::string& run);
  void takeSchedules();
  void trainOnce();
  void complete();
  void measureOpen();
  void publish();
  void notify();
  void announce(std::string doing);
  ProgressCallback beginWork(std::string doing, LongWork::Patience patience = LongWork::Patience::Insists);
  void endWork();

  Options options_;
  LongWork work_;
  std::atomic<double> frameSeconds_{0}, followSeconds_{0};
  std::mutex listening_;
  std::function<void()> listener_;

  mutable std::mutex mutex_;
  std::condition_variable wake_, idle_;
  std::deque<std::function<void()>> asked_;
  bool stopping_ = false, working_ = false, running_ = false;
  std::string opening_;  // the run that is to be opened; empty: none
  std::string refused_, problem_;
  std::pair<std::string, Schedules> scheduled_;  // the last run that was told its schedules, and these
  std::shared_ptr<const RunReport> report_;
  std::shared_ptr<const RunReport>
      displaced_;  // of the run before one that was begun, until that is asked for

  std::unique_ptr<OpenRun> open_;  // the thread's own, as is what follows
  std::optional<FileLock> held_;   // its folder: of all windows one trains a run
  std::string watched_;
  Clock::time_point published_, saved_;
  std::uint64_t version_ = 0;
  std::thread thread_;  // last: everything above exists when it starts
};

}  // namespace glassformer
