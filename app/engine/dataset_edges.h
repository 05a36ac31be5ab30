#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "app/engine/edge_ablation.h"
#include "core/model/live_pass.h"

namespace glassformer {

/// Over which texts edges are told of, by which model with which interventions, and by which metric of each.
struct DatasetEdgesKey : CorpusKey {
  Interventions everywhere;  ///< see isOfEveryText
  const MetricChoice* metric = nullptr;
  bool readsAll = false;  ///< of these texts, not the first alone
  bool operator==(const DatasetEdgesKey&) const = default;
};

/// What every edge does over texts; and what those above a threshold alone make of the texts that are looked
/// at.
class DatasetEdges {
 public:
  DatasetEdges(const DatasetEdgesKey& key, std::shared_ptr<const SearchedTexts> texts, const JobSide& side,
               int threads);

  /// Takes up the threshold.
  bool follow(const JobSide& side);
  bool goOn(const JobSide& side, const StartJob& begin, const std::function<void()>& more);
  JobResult result(const JobSide& side) const;

 private:
  int count() const;
  bool isRead() const { return next_ == count() && ofTexts_; }
  Metric metricOf(const Trace& trace, const CountedTokens& counted) const;
  std::string meaning(const JobSide& side) const;
  bool readTexts(const StartJob& begin);
  const EdgeGraph* graphOf(const EdgesKey& asked, float threshold) const;
  void addEdges(float threshold, const JobSide& side, TensorSet& set) const;
  void addMattering(float threshold, TensorSet& set) const;
  TensorSet::AcrossOf acrossTexts() const;

  DatasetEdgesKey key_;
  std::shared_ptr<const SearchedTexts> texts_;
  LivePass pass_;
  int mask_ = -1;  // its token for a gap
  EdgesOverTexts edges_;
  std::shared_ptr<const Tensor> ofTexts_;  // edges_.all(), once it is all
  std::vector<EdgeGraph> graphs_;          // of the texts looked at last
  float threshold_ = 0;
  int next_ = 0;  // text
};

/// Edges over texts of the model's task or the lines of the tabs: over the first `usualTexts` of them, as
/// each takes hundreds of passes, or over all where that is asked for. The interventions that mean the same
/// in every text are part of the model.
class DatasetEdgeAblation final : public JobOverTexts<DatasetEdgesKey, DatasetEdges> {
 public:
  static constexpr const char* doing = "ablating edges over a dataset";
  static constexpr int usualTexts = 24;

  using JobOverTexts::JobOverTexts;

 private:
  std::optional<DatasetEdgesKey> key(const JobSide& side) const override;
  bool follow(DatasetEdges& edges, const JobSide& side) override { return edges.follow(side); }
  JobResult result(const DatasetEdgesKey&, const DatasetEdges& edges, const JobSide& side) const override {
    return edges.result(side);
  }
};

}  // namespace glassformer
