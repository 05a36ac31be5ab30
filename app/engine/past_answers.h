#pragma once
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "app/engine/progress.h"
#include "app/engine/snapshot.h"

namespace glassformer {

/// What the models of a run answered at steps of their past: asked anew of the weights that are kept, once
/// somebody looks. Those asked last are remembered.
class PastAnswers {
 public:
  static constexpr const char* doing = "asking the model as it was";

  explicit PastAnswers(int threads) : threads_(threads) {}

  /// Puts what is known into a snapshot that shows the past, and into the one beside it.
  void show(Snapshot& snapshot) const;
  /// Whether a snapshot lacks answers.
  bool isAsked(const Snapshot& snapshot) const;
  /// Asks for what it lacks; stopped, for nothing.
  void ask(const Snapshot& snapshot, const Begin& begin);

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
  void askSide(const Snapshot& snapshot, const Begin& begin);

  int threads_;
  std::map<Place, Known> known_;
  std::vector<Place> order_;  // in which they were asked
};

}  // namespace glassformer
