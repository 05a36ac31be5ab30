#pragma once
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/document/metric_settings.h"
#include "app/engine/job.h"
#include "core/lens/edge_effects.h"
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
  explicit EdgesOverTexts(ModelEdges edges) : edges_(std::move(edges)) {}

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

/// Of which pass edges are told, and by which metric.
struct EdgesKey {
  PassKey pass;
  Metric metric;
  bool operator==(const EdgesKey&) const = default;
};
/// The metric that is asked for, of the text that is looked at.
Metric edgeMetricAsked(const JobSide& side);
/// Nothing where a pass of two tokens is missing, or the model has no edges.
std::optional<EdgesKey> edgesAsked(const JobSide& side);
/// Whether edges are told of the open text alone.
bool tellsOfOpenText(const ViewSettings& settings);
/// The metric of each text.
const MetricChoice& metricOfEdges(const ViewSettings& settings);
const char* usualThresholdOfEdges(const ViewSettings& settings);
float thresholdOfEdges(const ViewSettings& settings);

/// What a pass comes to by those edges alone that do as much as a threshold, sign aside, on average over
/// texts.
struct EdgeGraph {
  EdgesKey of;
  float threshold = 0;
  KeptEdges isKept;
  Reproduced alone;

  bool answers(const EdgesKey& asked, float above) const { return of == asked && threshold == above; }
};
EdgeGraph graphOfEdges(const EdgesKey& of, const EdgesOverTexts& told, float threshold, LivePass& pass);

/// edge::alone of it.
void addGraph(const EdgeGraph& graph, const ModelEdges& edges, TensorSet& set);
/// edge::sender and edge::receiver.
void addStrongestEdges(const EdgesOverTexts& told, TensorSet& set);
/// "what a pass is called, without the edge from L0H1 to L1H2.k".
std::string edgeWords(const ModelEdges& edges, std::size_t sender, std::size_t receiver);
/// What meanings of the numbers of edges end with.
inline constexpr const char* withoutEdge = " with a component removed from queries, keys or values, ";

}  // namespace glassformer
