#pragma once
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "app/engine/job.h"
#include "core/train/training_task.h"

namespace glassformer {

/// Of the shown run's task and recipe, what less data makes of it: the recipe is trained briefly, once on
/// each of several cuts of the same data, which are then gone through as often as the steps take. Letter X
/// counts the cuts, 1/16 to 1.
namespace dataSizes {
inline constexpr const char *sequences = "training.data_sequences",  ///< [X]: how many there are
    *heldOut = "training.data_held_out",                             ///< [X]: validation loss, NaN: not yet
        *own = "training.data_own",                                  ///< [X]: loss on the cut itself
            *steps = "training.data_steps";                          ///< [1]: of each of the runs
inline constexpr std::array shares{16, 8, 4, 2, 1};                  ///< one part of so many
inline constexpr int mostSteps = 300;
}  // namespace dataSizes

struct DataSizesKey {
  std::string run;
  std::shared_ptr<const TrainingTask> task;
  Recipe recipe;
  bool operator==(const DataSizesKey& other) const;
};

/// The losses of the cuts that were trained on.
class DataSizeLosses {
 public:
  static constexpr const char* doing = "training on less data";

  DataSizeLosses(const DataSizesKey& key, const JobSide& side, int threads);
  bool goOn(const StartJob& begin, const std::function<void()>& more);
  JobResult result() const;

 private:
  struct Losses {
    float heldOut = 0, own = 0;
  };
  int batchesOf(std::size_t cut) const;
  /// False where it was stopped.
  bool train(std::size_t cut, const ProgressCallback& watch);

  int threads_;
  std::shared_ptr<const TrainingTask> task_;
  Recipe recipe_;
  std::vector<Losses> done_;
};

namespace needs {
extern const Need lossByDataSize;
}  // namespace needs

}  // namespace glassformer
