#include "core/lens/stopped_passes.h"

#include <cmath>

#include "core/lens/residual_stream.h"
#include "core/model/read_out.h"
#include "core/tensor/kernels.h"
#include "core/trace/derived.h"

namespace glassformer {
namespace {

constexpr const char *stoppedProbability = "lens.stopped", *stoppedLogarithm = "lens.log_stopped";

// Behind the last sublayer that is the pass itself, what was changed in its read-out included; so it is of
// one without weights, which can be asked nowhere else.
PassAgain stoppedAt(const Transformer& model, const Trace& trace, int place) {
  const auto places = residualPlaces(model);
  if (!model.hasWeights() || place + 1 == static_cast<int>(places.size()))
    return {"at the end", {std::shared_ptr<const void>(), &trace}, nullptr};
  const ResidualPlace& at = places[static_cast<std::size_t>(place)];
  return {"after " + at.label, readOutOf(model, trace, trace[at.passedOn]), nullptr};
}

// Adds lens.stopped and lens.log_stopped [V] of one position.
void measureProbabilities(PassAgain& pass, int position) {
  const TensorView z = (*pass.trace)["logits"][position];
  const int V = z.extent[0];
  Tensor p({V}), logP({V});
  kernels().softmax(z.data, &p(0), V);
  for (int v = 0; v < V; ++v) logP(v) = std::log(p(v));
  auto set = std::make_shared<TensorSet>();
  set->add(
      {stoppedProbability, "V", "next token's probabilities, were the model to stop there", "p = softmax(z)"},
      std::move(p), [z](const Index& at) { return derivedProbability(z, at[0]); });
  set->add({stoppedLogarithm, "V", "the logarithm of that", "ln p"}, std::move(logP),
           [p = (*set)[stoppedProbability]](const Index& at) -> std::optional<Derivation> {
             if (!(p(at[0]) > 0)) return std::nullopt;  // too small for a number of its own
             return derivedLogarithm(&p(at[0]));
           });
  pass.measured = std::move(set);
}

}  // namespace

AcrossPasses stoppedAcross(const Transformer& model, const Trace& trace, int place, Prediction of) {
  PassAgain stopped = stoppedAt(model, trace, place);
  Derivation made = derivedProbability((*stopped.trace)["logits"][of.position], of.entry);
  return {std::move(made), {std::move(stopped)}};
}

AcrossPasses entropyAcross(const Transformer& model, const Trace& trace, int place, int position) {
  PassAgain stopped = stoppedAt(model, trace, place);
  measureProbabilities(stopped, position);
  const TensorView p = (*stopped.measured)[stoppedProbability], logP = (*stopped.measured)[stoppedLogarithm];
  Derivation entropy;
  for (int v = 0; v < p.extent[0]; ++v)
    if (p(v) > 0) entropy.terms.push_back({&p(v), &logP(v), -1});
  return {std::move(entropy), {std::move(stopped)}};
}

AcrossPasses promotionAcross(const Transformer& model, const Trace& trace, int place, Prediction of) {
  PassAgain before = stoppedAt(model, trace, place - 1), behind = stoppedAt(model, trace, place);
  for (PassAgain* const each : {&before, &behind}) measureProbabilities(*each, of.position);
  const auto p = [&](const PassAgain& pass) { return &(*pass.measured)[stoppedProbability](of.entry); };
  Derivation moved = derivedDifference(p(behind), p(before));
  return {std::move(moved), {std::move(before), std::move(behind)}};
}

}  // namespace glassformer
