#pragma once
#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "core/tensor/aligned_vector.h"

namespace glassformer {

/// Numbers of a run at many of its steps, its weights for example, in as much memory as they are allowed: of
/// every step at first; when it is full, every second one goes and the steps between two that are kept
/// double. So the whole run is covered evenly, however long it gets. The first ones and the newest stay.
/// A small model takes a sixth of the memory it is allowed, which holds more steps of it than anyone looks
/// at; a larger one as much as `enough` steps take.
class StepRing {
 public:
  using Values = std::shared_ptr<const AlignedVector>;

  /// `budget` in bytes, for `count` numbers at each step; at least four steps are kept whatever they take.
  StepRing(std::size_t budget, std::size_t count, std::size_t enough);

  /// Whether a step is one of those that are kept.
  bool isDue(int step) const { return step % interval_ == 0; }
  /// Keeps a copy, of a step that is not due until the next one; steps come in order.
  void keep(int step, std::span<const float> values);
  /// The newest ones kept at or before a step; null where there are none.
  Values at(int step) const;
  /// The step whose numbers at() would give; -1 where there are none.
  int stepAt(int step) const;
  std::vector<int> steps() const;
  /// The newest step at or before one that another ring keeps as well; -1 where there is none.
  int stepShared(const StepRing& other, int atMost) const;
  std::size_t count() const { return count_; }
  int interval() const { return interval_; }
  std::size_t bytes() const { return kept_.size() * count_ * sizeof(float); }
  std::size_t capacity() const { return capacity_; }  ///< how many are kept at most
  void cutAfter(int step) { kept_.erase(kept_.upper_bound(step), kept_.end()); }

 private:
  void thin();

  std::size_t count_, capacity_;
  int interval_ = 1;
  std::map<int, Values> kept_;
};

}  // namespace glassformer
