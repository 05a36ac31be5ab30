#pragma once
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "app/engine/edge_ablation.h"
#include "core/model/live_pass.h"

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
  const ModelEdges& edges() const { return edges_; }

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

/// The same, and the graph of those above a threshold.
struct EdgesHereState {
  EdgesHereState(const EdgesKey& key, int threads)
      : edges(key.pass.model, key.pass.trace, edgesOf(*key.pass.model), key.pass.interventions, key.metric),
        pass(key.pass.model, threads) {}

  EdgesHere edges;
  LivePass pass;
  float threshold = 0;
  std::optional<EdgeGraph> graph;  ///< above that; where the open text alone is told of
};

/// Edges of the text that is read, with all of its interventions; where many texts are told of, what each
/// does here.
class TextEdgeAblation final : public Job<EdgesKey, EdgesHereState> {
 public:
  static constexpr const char* doing = "ablating edges of this text";

  explicit TextEdgeAblation(int threads) : threads_(threads) {}

 private:
  std::optional<EdgesKey> key(const JobSide& side) const override { return edgesAsked(side); }
  std::string missing(const JobSide& side) const override;
  std::unique_ptr<EdgesHereState> start(const EdgesKey& key, const JobSide& side,
                                        const StartJob& begin) override;
  bool follow(EdgesHereState& state, const JobSide& side) override;
  bool goOn(const EdgesKey& key, EdgesHereState& state, const JobSide& side, const StartJob& begin,
            const std::function<void()>& more) override;
  JobResult result(const EdgesKey& key, const EdgesHereState& state, const JobSide& side) const override;

  int threads_;
};

}  // namespace glassformer
