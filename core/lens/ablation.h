#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/lens/metric.h"
#include "core/model/live_pass.h"
#include "core/trace/tensor_set.h"

namespace glassformer {

/// What takes the place of a part that is left out: nothing, or at every position what it writes there in the
/// mean over the text (mean ablation), so that what it always writes stays.
enum class AblationKind { Zero, Mean };
/// `part` zeros what it selects; in the place of that what is asked, as the whole pass has it.
Intervention leftOutAs(AblationKind as, const Trace& whole, const Intervention& part);

/// What a logit, or how far it is ahead of another one, comes to without a part of the model: computed anew
/// with that part changed, so that it is exact, where gradients estimate and direct attribution leaves out
/// what later blocks make of it.
struct AblationEffect {
  float logit = 0;       ///< z, or the lead of one over another: without the part, less with it
  float divergence = 0;  ///< KL(p ‖ p without the part), in nats, of the distribution at that position
  int before = -1, likeliest = -1;  ///< the entry that is likeliest there with the part, and without it
};

/// KL(p ‖ q) in nats of two distributions, each as its logits.
double divergenceOf(std::span<const float> p, std::span<const float> q);

/// `whole`: the pass with the interventions that stand; `part` is one more.
AblationEffect leaveOut(LivePass& pass, const Trace& whole, const Interventions& standing,
                        const Intervention& part, const AnswerMetric& of);

/// What a metric y changes by, by its gradient alone, all parts from one pass forward and backward: of a part
/// that adds x, −x · ∂y / ∂x, what a straight line says (attribution patching, Nanda 2023); with its mean in
/// its place (x̄ − x) · ∂y / ∂x. NaN where there is no part. Adds to `gradients` gradientOf() every point that
/// the parts are of, as the trace has it, and for means meanOf() it.
std::vector<float> estimateLeftOut(const Transformer& model, const Trace& whole,
                                   const Interventions& standing,
                                   std::span<const std::optional<Intervention>> parts, const Metric& metric,
                                   TensorSet& gradients, AblationKind as = AblationKind::Zero);
/// "lens.logit_gradient.blocks.0.attn.hook_z"
std::string gradientOf(const std::string& point);
/// "lens.mean.blocks.0.attn.hook_z", [D] or [H, K]
std::string meanOf(const std::string& point);
/// What made one of these estimates: the products of the part's numbers, and of their means, and their
/// gradients.
Derivation derivedEstimate(const Trace& whole, const TensorSet& gradients, const Intervention& part,
                           AblationKind as = AblationKind::Zero);

}  // namespace glassformer
