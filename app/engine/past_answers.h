#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "app/engine/need.h"

namespace glassformer {

/// What the models of a run answered at steps of their past: asked anew of the weights that are kept, once
/// somebody looks. Those asked last are remembered.
class PastAnswers final : public BackgroundJob {
 public:
  static constexpr const char* doing = "asking the model as it was";

  explicit PastAnswers(int threads) : threads_(threads) {}

  void show(const MeasuredModel& of, Snapshot& snapshot) const override;
  bool prepare(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin) override;
  void measure(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin,
               const std::function<void()>& more) override;

 private:
  using Answers = std::shared_ptr<const std::vector<Answered>>;
  using Place = std::tuple<std::string, int, int>;  // run, side, step

  // A name may come to another run, and a step to other weights, after a checkpoint was gone back to.
  struct Known {
    std::weak_ptr<const AlignedVector> weights;
    Answers answers;
  };

  static Place placeOf(const Snapshot& snapshot);
  Answers find(const Snapshot& snapshot) const;
  std::shared_ptr<const ShownTraining> withAnswers(const Snapshot& snapshot) const;
  bool askSide(const Snapshot& snapshot, const StartJob& begin);

  int threads_;
  std::map<Place, Known> known_;
  std::vector<Place> order_;    // in which they were asked
  std::optional<Place> asked_;  // last
};

}  // namespace glassformer
