#pragma once
#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/engine/planned_run.h"
#include "app/engine/training_state.h"

namespace glassformer {

/// By side; nothing: whatever the side goes by.
using Schedules = std::array<std::optional<Schedule>, 2>;

/// A run on the thread that trains it: its models side by side, and the folder it is kept in.
class OpenRun {
 public:
  struct Options {
    int threads = 2;
    std::size_t budget = 0;  ///< bytes of weights and moments kept in memory, of all sides together
  };

  /// Begins a run in a folder that is there and empty. An error names what is wrong with the plan; to stop it
  /// is an error too.
  static Result<std::unique_ptr<OpenRun>> begin(std::string name, std::filesystem::path folder,
                                                const TrainingPlan& plan, const StartingModel& start,
                                                const Options& options,
                                                const ProgressCallback& watch = noProgress);
  /// Takes up the run in a folder where its last checkpoint left it.
  static Result<std::unique_ptr<OpenRun>> open(std::string name, std::filesystem::path folder,
                                               const Options& options,
                                               const ProgressCallback& watch = noProgress);
  /// Begins a run in a folder that is there and empty, as another was after a step or shortly before it: see
  /// branchStep(). With the schedules that one is on now.
  static Result<std::unique_ptr<OpenRun>> branch(std::string name, std::filesystem::path folder,
                                                 const OpenRun& origin, int atMost,
                                                 const ProgressCallback& watch = noProgress);
  /// Whether a folder holds a run.
  static bool isIn(const std::filesystem::path& folder);
  /// Where the trained model of a run in that folder lies, once it is through.
  static std::filesystem::path trainedModelIn(const std::filesystem::path& folder);
  /// How it was set up.
  static Result<TrainingPlan> planIn(const std::filesystem::path& folder);
  /// When it was begun.
  static std::filesystem::file_time_type begunAt(const std::filesystem::path& folder);
  /// Makes that later than another time, whatever the clock says.
  static void setBegunBehind(const std::filesystem::path& folder, std::filesystem::file_time_type other);
  /// Copies what is kept of a run into a folder that is there: as long as that is not done, it holds no run.
  static Status copy(const std::filesystem::path& folder, const std::filesystem::path& to);

  const std::string& name() const { return name_; }
  int step() const;
  /// The newest step at or before one from which every side can be gone on with; -1 where there is none.
  int branchStep(int atMost) const;
  bool finished() const;
  bool isDiverged() const { return diverged_; }

  /// A step of the side that is behind: sides go together.
  void advance();
  /// A step of every side.
  void advanceAll();
  /// Of the steps that come, by side. Whether that is another for any of them.
  bool setSchedules(const Schedules& schedules);
  /// Writes checkpoints; what diverged is not kept, for the last checkpoint is still good. Where it cannot,
  /// report() says so.
  void save();
  /// Each trained model as a directory that opens like any other, with a card.
  void writeModels();
  /// Puts into the cards what the models reach on held-out data, unless the watch stops it.
  void measure(const ProgressCallback& watch = noProgress);
  bool isMeasured() const { return measured_; }
  /// `running`: whether it goes on by itself.
  RunReport report(const std::string& watchedWeight, bool running);

 private:
  OpenRun(std::string name, std::filesystem::path folder, TrainingPlan plan, const Options& options)
      : name_(std::move(name)), folder_(std::move(folder)), plan_(std::move(plan)), options_(options) {}
  /// Where the text is kept that the task "text" reads.
  std::filesystem::path text() const;
  void addSides(const PlannedRun& run);
  Status keep();
  void setSaved(const Status& status);
  std::filesystem::path modelOf(std::size_t side) const;
  Status writeModel(std::size_t side) const;
  Result<bool> measure(std::size_t side, const ProgressCallback& watch);

  std::string name_;
  std::filesystem::path folder_;
  TrainingPlan plan_;
  Options options_;
  std::shared_ptr<const TrainingTask> task_;
  std::shared_ptr<const Tokenizer> tokenizer_;
  std::vector<std::unique_ptr<TrainingState>> sides_;
  bool diverged_ = false, measured_ = false;
  std::string problem_;
  std::string unwritten_;  // why what was reached does not stand in the cards
  int savedStep_ = 0, openedStep_ = 0;
  double tokens_ = 0, seconds_ = 0;  // lately
  double trained_ = 0;               // seconds, since it was opened
};

}  // namespace glassformer
