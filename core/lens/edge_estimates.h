#pragma once
#include <memory>

#include "core/lens/edge_effects.h"
#include "core/trace/across_passes.h"

namespace glassformer {

// What the gradient says of an edge before it is left out (attribution patching of edges: Syed et al. 2023),
//   −Σ_t Σ_k q_i[t, k] · ∂y / ∂q[t, k],
// with q_i what the sender i makes of the queries, keys or values that are read: a straight line in place of
// all that bends behind them.

namespace edge {
// Of one edge, on its pass forward and backward.
inline constexpr const char *made = "edges.made",  ///< [T, K]: q_i
    *sumWithout = "edges.sum_without",             ///< ".h.0.ln_1" [T, D]: behind norms after the sums what
                                                   ///< goes into each, without what the sender wrote;
                                                   ///< "edges.sum_without" alone: where the stream begins
        *streamWithout = "edges.stream_without";   ///< ".h.0.ln_1" [T, D]: and what comes out
}  // namespace edge

/// Whether the gradient says anything of what is told: KL has no slope where it begins.
bool hasEdgeEstimates(const ModelConfig& config, Metric::Kind kind);

/// What made one of EdgeAblation::estimates(): the products of edge::made and the gradients there, each of
/// which opens in turn. `whole`, of which the tokens are read, went through `standing`.
OpenPasses edgeEstimateAcross(const std::shared_ptr<const Transformer>& model, const ModelEdges& edges,
                              const Trace& whole, const Interventions& standing, std::size_t sender,
                              std::size_t receiver, const Metric& metric);

}  // namespace glassformer
