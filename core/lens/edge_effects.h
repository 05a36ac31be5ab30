#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/lens/contributions.h"
#include "core/lens/metric.h"
#include "core/model/live_pass.h"

namespace glassformer {

// A head reads the residual stream three times, and the stream is a sum of what was written: an edge leads
// from one of those who wrote it to the queries, the keys or the values of one head (Elhage et al. 2021;
// Conmy et al. 2023 leave out edges as heads are left out). Left out, the head's queries lack what the sender
// made of them, q − q_i with q_i = γ ⊙ (x_i − mean(x_i)) / σ · W_Q, the norm's σ held fixed; everything else
// still reads the sender, and all that follows is computed anew. Where norms come after the sums, what was
// written meets every one of them on its way, and no σ can be held for all: the head then reads the stream as
// it is without what the sender added, x′, all these norms computed anew, while the sublayers between them
// add what they did: q − (x − x′) W_Q.

/// What reads. Keys and values that several heads share are one, called by all of them.
struct EdgeReceiver {
  enum class Part { Query, Key, Value };
  HeadId head;  ///< of shared ones the first
  int count = 1;
  Part part = Part::Query;
};
/// "L1H2.k", "L1H0-3.v".
std::string nameOf(const EdgeReceiver& receiver);
/// The trace point of what it reads by, [T, H, K], and which of the H is its own.
std::string pointOf(const EdgeReceiver& receiver);
int planeOf(const EdgeReceiver& receiver, const ModelConfig& config, const TensorView& point);

/// All of a model: `senders` of contributionParts(), without biases, which say nothing of a text; for each of
/// the text's own attentions what its heads read, block by block.
struct ModelEdges {
  std::vector<ContributionPart> senders;
  std::vector<EdgeReceiver> receivers;

  /// Whether the one is written before the other reads.
  bool leads(std::size_t sender, std::size_t receiver) const;
};
ModelEdges edgesOf(const Transformer& model);
/// Why there are none; empty where there are.
std::string whyNoEdges(const ModelConfig& config);

/// The edges of a text, to leave out one at a time.
class TextEdges {
 public:
  /// `model`, `edges` and `trace` outlive it.
  TextEdges(const Transformer& model, const ModelEdges& edges, const Trace& trace);
  ~TextEdges();
  /// What leaves one out: its queries, keys or values less what the sender made of them.
  Intervention leftOut(std::size_t sender, std::size_t receiver) const {
    return leftOut(std::vector{sender}, receiver);
  }
  /// The same of several senders at once.
  Intervention leftOut(const std::vector<std::size_t>& senders, std::size_t receiver) const;
  /// What the senders made of those queries, keys or values, [T, K].
  Tensor made(const std::vector<std::size_t>& senders, std::size_t receiver) const;
  /// By what a number changes without each edge, as its gradients at the points that are read say:
  /// −Σ q_i · ∂L / ∂q of what the sender made; [senders, receivers], NaN where no edge leads.
  Tensor byGradients(const std::function<TensorView(const std::string& point)>& gradientOf) const;

 private:
  struct Factors;
  const Transformer& model_;
  const ModelEdges& edges_;
  const Trace& trace_;
  std::unique_ptr<const Factors> factors_;
};

/// What the edges of one text do, each asked by itself.
class EdgeAblation {
 public:
  /// `model`, `edges` and `trace`, of two tokens at least, outlive it. `standing`: what the trace went
  /// through.
  EdgeAblation(const Transformer& model, const ModelEdges& edges, const Trace& trace, Interventions standing,
               Metric metric = {});
  /// What is told without one that leads somewhere.
  float without(LivePass& pass, std::size_t sender, std::size_t receiver) const;
  /// The same by the gradient alone, all from one pass forward and backward (see TextEdges::byGradients()).
  /// KL has no slope where it begins: in gaps what is told of instead is what the likeliest entries of the
  /// whole pass cost, and at one position the logit.
  Tensor estimates() const;

 private:
  const Transformer& model_;
  const ModelEdges& edges_;
  const Trace& trace_;
  Interventions standing_;
  Metric metric_;
  TextEdges text_;
  MetricOfPass whole_;
};

/// By how much the loss, the mean of −ln p of the tokens that come, rises without each edge, in nats:
/// [senders, receivers], NaN where no edge leads. A model that fills gaps says no next token: of it what is
/// told is KL(p ‖ p without), the mean over the `gaps` or, where there are none, over all tokens; that is by
/// how much the loss of words rises that are drawn from p, as the model itself would fill them. Or what
/// else is told. `standing`: what the trace, of two tokens at least, went through. Empty where the watch
/// stopped it.
std::optional<Tensor> leaveOutEdges(LivePass& pass, const ModelEdges& edges, const Trace& trace,
                                    const Interventions& standing, const Metric& metric = {},
                                    const ProgressCallback& watch = noProgress);

/// What one of these numbers is made of: the pass `whole`, whose trace the edges were found on, and the one
/// without the edge.
MultiPassDerivation edgeAcross(const std::shared_ptr<const Transformer>& model, const ModelEdges& edges,
                               ReplayedPass whole, const std::string& name, const Interventions& standing,
                               std::size_t sender, std::size_t receiver, const Metric& metric = {});
/// Which edges are kept, of those that lead anywhere.
using KeptEdges = std::function<bool(std::size_t sender, std::size_t receiver)>;
/// The pass over a text by a graph of edges alone: every other one is left out at once, of what its sender
/// makes in that very pass, block by block.
std::shared_ptr<const Trace> passOfEdges(LivePass& pass, const ModelEdges& edges, const Trace& trace,
                                         const Interventions& standing, const KeptEdges& isKept);

/// What a pass comes to beside the whole one.
struct Reproduced {
  float told = 0;     ///< as it was asked: by how much the loss rises, ...
  float answers = 0;  ///< the share of places, or gaps, at which the likeliest entry stays
};
Reproduced reproducedBy(const ModelConfig& config, const Trace& whole, const Trace& alone,
                        const Metric& metric = {});

}  // namespace glassformer
