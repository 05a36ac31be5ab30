#pragma once
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "core/lens/edge_effects.h"

namespace glassformer {

/// Edges of the open text, one by one, those first of which the gradient promises most.
class EdgesHere {
 public:
  EdgesHere(std::shared_ptr<const Transformer> model, std::shared_ptr<const Trace> text,
            const ModelEdges& edges, const Interventions& standing, Metric metric);

  /// Leaves out those that are left; true once all are, false where the watch stopped it.
  bool leaveOut(LivePass& pass, const ProgressCallback& watch, const std::function<void()>& more);
  bool isWhole() const { return isOrdered_ && next_ == order_.size(); }
  /// What is told of each, NaN where that is not known yet.
  const Tensor& told() const { return told_; }
  /// What the gradient says of it (see EdgeAblation::estimates()), all at once; NaN before that is known.
  const Tensor& estimated() const { return estimated_; }
  int tried() const { return static_cast<int>(next_); }
  int count() const { return static_cast<int>(order_.size()); }

 private:
  void takeUpOrder();

  std::shared_ptr<const Transformer> model_;
  std::shared_ptr<const Trace> text_;
  ModelEdges edges_;
  EdgeAblation asked_;
  Tensor told_, estimated_;
  std::vector<std::pair<std::size_t, std::size_t>> order_;  // sender, receiver
  std::size_t next_ = 0;                                    // of these
  bool isOrdered_ = false;
};

}  // namespace glassformer
