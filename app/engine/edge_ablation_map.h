#pragma once
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "app/document/metric_settings.h"
#include "app/engine/edges_here.h"
#include "app/engine/searched_texts.h"
#include "core/lens/edge_estimates.h"
#include "core/lens/rule_fit.h"

namespace glassformer {

namespace edge {
// Of every edge, senders down, receivers across (see edgesOf), what the loss rises by without it (see
// leaveOutEdges), or of the open text alone what is asked instead (see Metric); NaN: no edge leads
// there, or not known.
inline constexpr const char *mean = "edges.mean",  ///< [Y, Z]: over the texts
    *spread = "edges.spread",                      ///< [Y, Z]: the standard deviation over the texts
        *here = "edges.here",                      ///< [Y, Z]: of the open text
            *ofTexts = "edges.of_texts",           ///< [C, Y, Z]: of each text that was read
                *often = "edges.often",            ///< [Y, Z]: the share of texts in which it matters
                    *matters = "edges.matters";  ///< [C, Y, Z]: 1 in such a text, else 0; NaN: no edge leads
/// Of the open text alone, where the gradient says anything (see hasEdgeEstimates()): what it says of each
/// edge, and that less what leaving it out really does.
inline constexpr const char *estimate = "edges.estimate", *error = "edges.error";  ///< [Y, Z]
// Those whose mean, or what they do in the open text alone, is largest, the largest first: row and column of
// the tensors above.
inline constexpr const char *sender = "edges.sender", *receiver = "edges.receiver";  ///< [Y]
inline constexpr const char* read = "edges.read";  ///< [2]: how many texts were read, and of how many
/// [2]: how many edges of the open text were left out, and of how many; where that alone is told of.
inline constexpr const char* tried = "edges.tried";
/// [2]: what the open text comes to by the edges above the threshold alone: see Reproduced.
inline constexpr const char* alone = "edges.alone";
inline constexpr std::size_t listed = 24;
}  // namespace edge

/// What every edge does over texts, text by text.
class EdgesOverTexts {
 public:
  explicit EdgesOverTexts(const Transformer& model) : edges_(edgesOf(model)) {}

  const ModelEdges& edges() const { return edges_; }
  /// What leaveOutEdges() said of a text, the number of which is kept.
  void add(int text, Tensor rises) { rises_.push_back(std::move(rises)), numbers_.push_back(text); }
  int texts() const { return static_cast<int>(rises_.size()); }
  /// The text's number, and what leaveOutEdges() said of it.
  int number(int text) const { return numbers_[static_cast<std::size_t>(text)]; }
  /// All of them, one below the other: [C, Y, Z].
  Tensor all() const;

  struct Number {
    Spread spread;
    float often = NAN;  ///< the share of texts in which it is as large as a threshold in nats
  };
  Number of(std::size_t sender, std::size_t receiver, float threshold) const;
  /// Sender and receiver of those whose mean is largest, sign aside, the largest first.
  std::vector<std::pair<std::size_t, std::size_t>> strongest(std::size_t most) const;

 private:
  ModelEdges edges_;
  std::vector<Tensor> rises_;
  std::vector<int> numbers_;
};

/// Edges of the open text alone, as it is typed; or over texts of the model's task or the lines of the tabs,
/// with the open text beside: over the first `usualTexts` of them, as each takes hundreds of passes, or over
/// all where that is asked for. There the interventions that mean the same in every text are part of the
/// model. All follows behind the picture.
class EdgeAblationMap final : public BackgroundJob {
 public:
  static constexpr const char *leavingOut = "ablating edges over a dataset",
                              *leavingOutHere = "ablating edges of this text";
  static constexpr int usualTexts = 24;

  explicit EdgeAblationMap(int threads) : threads_(threads) {}

  void show(const MeasuredModel& of, Snapshot& snapshot) const override;
  bool prepare(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin) override;
  void measure(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin,
               const std::function<void()>& more) override;

 private:
  Metric asked(const MeasuredModel& of, const Snapshot& snapshot) const;
  bool isOf(const MeasuredModel& of) const;
  bool isWhole(int text) const;
  int count() const {
    return ofOpenText_ ? 0 : readsAll_ ? texts_.count() : std::min(texts_.count(), usualTexts);
  }
  Metric metricOfText(const Trace& trace, const CountedTokens& counted) const;
  bool takeUpTexts(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin);
  JobResult keptFor(const MeasuredModel& of, const Snapshot& snapshot) const;
  std::shared_ptr<TensorSet> keptOfOpenText(bool isHere) const;
  std::shared_ptr<TensorSet> keptOfTexts(float threshold, bool isHere) const;
  std::string whatIsTold(bool ofTexts) const;
  std::string equation() const;
  void addHere(bool isHere, TensorSet& set) const;
  void addEstimates(TensorSet& set) const;
  void addEdges(float threshold, TensorSet& set) const;
  void addMattering(float threshold, TensorSet& set) const;
  void addListed(TensorSet& set) const;
  void addAlone(TensorSet& set) const;
  TensorSet::AcrossOf acrossTexts() const;
  TensorSet::AcrossOf acrossOpenText() const;
  OpenPasses acrossGraph() const;
  EdgesOverTexts toldOf() const;
  KeptEdges keptEdges() const;
  bool readTexts(const ProgressCallback& watch, int part, int parts);
  void reproduce();

  int threads_;
  std::shared_ptr<const Transformer> model_;
  std::unique_ptr<LivePass> pass_;
  int mask_ = -1;  // its token for a gap
  SearchedTexts texts_;
  const MetricChoice* ofEachText_ = nullptr;
  Interventions standing_, everywhere_;
  std::shared_ptr<const Trace> open_;
  Metric metric_;
  std::optional<EdgesOverTexts> edges_;
  std::shared_ptr<const Tensor> ofTexts_;  // edges_->all(), once it is all
  std::unique_ptr<EdgesHere> here_;
  std::optional<Reproduced> alone_;  // of the open text, by the edges above
  float threshold_ = 0;
  int next_ = 0;  // text
  bool ofOpenText_ = true, readsAll_ = false;
};

/// Whether edges are told of the open text alone.
bool tellsOfOpenText(const ViewSettings& settings);
/// The metric of each text.
const MetricChoice& metricOfEdges(const ViewSettings& settings);
const char* usualThresholdOfEdges(const ViewSettings& settings);
float thresholdOfEdges(const ViewSettings& settings);

}  // namespace glassformer
