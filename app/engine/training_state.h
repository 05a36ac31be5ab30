#pragma once
#include <filesystem>
#include <memory>
#include <string>

#include "app/engine/run_report.h"
#include "core/train/training_task.h"

namespace glassformer {

/// So many steps of a run are kept, of its weights and of Adam's moments, as soon as their memory allows
/// them.
inline constexpr std::size_t enoughWeights = 64, enoughMoments = 16;

/// What is kept of a run on the disk.
struct KeptSize {
  std::uintmax_t bytes = 0;
  int weights = 0, moments = 0;  ///< of how many steps, of all sides together
};
KeptSize keptIn(const std::filesystem::path& folder);

/// One model in training: its run, what it has reported, and its weights at many steps. Used by the thread
/// that trains it alone.
class TrainingState {
 public:
  /// `budget`: bytes for the weights and moments that are kept.
  TrainingState(const std::shared_ptr<const TrainingTask>& task, Recipe recipe, int threads,
                std::size_t budget);

  TrainingRun& run() { return run_; }
  const TrainingRun& run() const { return run_; }
  int step() const { return run_.step(); }
  bool finished() const { return run_.finished(); }
  /// The newest step at or before one from which another can take up; -1 where there is none.
  int branchStep(int atMost) const { return moments_.stepShared(weights_, atMost); }
  /// Begins with these weights instead of random ones.
  void beginWith(const Parameters& parameters);
  /// Takes up where another of the same recipe was after a step, see branchStep().
  void branchFrom(const TrainingState& origin, int step);
  /// One step; measures on held-out data where that is due. False: the loss is no longer a number.
  bool advance();
  /// Measures now, unless that was done after this step.
  void measureHeldOut();
  /// That of the steps that come.
  const Schedule& schedule() const { return run_.trainer().options().schedule; }
  void setSchedule(const Schedule& schedule) { run_.trainer().setSchedule(schedule); }

  /// What is to be seen of it, with the newest weights among those kept.
  RunVariant report(const std::string& watchedWeight);

  /// Writes the checkpoint `<name>.safetensors` and, beside it in `<name>.weights/` and `<name>.moments/`,
  /// what is kept of other steps. Whatever happens meanwhile, what was there before or what is new can be
  /// read.
  Status save(const std::filesystem::path& folder, const std::string& name) const;
  /// Goes on from there.
  Status restore(const std::filesystem::path& folder, const std::string& name);

 private:
  void ask();
  void keep();
  int heldOutEvery() const;
  int askEvery() const;

  TrainingRun run_;
  bool stepped_ = false;  // since it is here: before that no gradient is known
  TrainingHistory history_;
  StepRing weights_, moments_;
  std::vector<Example> questions_;
  std::vector<Answered> answers_;
  int threads_;
};

}  // namespace glassformer
