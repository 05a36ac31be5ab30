#pragma once
#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "core/tensor/aligned_vector.h"

namespace glassformer {

/// The weights of a run at many of its steps, in as much memory as it is allowed: every step at first; when
/// it is full, every second one goes and the steps between two that are kept double. So the whole run is
/// covered evenly, however long it gets. The first weights and the newest stay.
class WeightRing {
 public:
  using Weights = std::shared_ptr<const AlignedVector>;

  /// `budget` in bytes, for weights of `values` numbers; at least four of them are kept whatever they take.
  WeightRing(std::size_t budget, std::size_t values);

  /// Whether a step is one of those that are kept.
  bool isDue(int step) const { return step % interval_ == 0; }
  /// Keeps a copy, of a step that is not due until the next one; steps come in order.
  void keep(int step, std::span<const float> weights);
  /// The newest ones kept at or before a step; null where there are none.
  Weights at(int step) const;
  /// The step whose weights at() would give; -1 where there are none.
  int stepAt(int step) const;
  std::vector<int> steps() const;
  int interval() const { return interval_; }
  std::size_t bytes() const { return kept_.size() * values_ * sizeof(float); }
  std::size_t capacity() const { return capacity_; }  ///< how many are kept at most
  void cutAfter(int step) { kept_.erase(kept_.upper_bound(step), kept_.end()); }

 private:
  void thin();

  std::size_t values_, capacity_;
  int interval_ = 1;
  std::map<int, Weights> kept_;
};

}  // namespace glassformer
