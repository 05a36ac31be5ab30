#include "core/lens/stopped_passes.h"

#include "core/lens/distribution.h"
#include "core/lens/residual_stream.h"
#include "core/model/read_out.h"
#include "core/trace/derived.h"

namespace glassformer {
namespace {

// Behind the last sublayer that is the pass itself, what was changed in its read-out included; so it is of
// one without weights, which can be asked nowhere else.
ReplayedPass stoppedAt(const Transformer& model, const Trace& trace, int place) {
  const auto places = residualPlaces(model);
  if (!model.hasWeights() || place + 1 == static_cast<int>(places.size()))
    return {"at the end", {std::shared_ptr<const void>(), &trace}, nullptr};
  const ResidualPlace& at = places[static_cast<std::size_t>(place)];
  return {"after " + at.label, readOutOf(model, trace, trace[at.passedOn]), nullptr};
}

}  // namespace

MultiPassDerivation stoppedAcross(const Transformer& model, const Trace& trace, int place, Prediction of) {
  ReplayedPass stopped = stoppedAt(model, trace, place);
  Derivation made = derivedProbability((*stopped.trace)["logits"][of.position], of.entry);
  return {std::move(made), {std::move(stopped)}};
}

MultiPassDerivation entropyAcross(const Transformer& model, const Trace& trace, int place, int position) {
  ReplayedPass stopped = stoppedAt(model, trace, place);
  const Distribution said = distributionAt(stopped, position);
  return {derivedEntropy(said), {std::move(stopped)}};
}

MultiPassDerivation promotionAcross(const Transformer& model, const Trace& trace, int place, Prediction of) {
  ReplayedPass before = stoppedAt(model, trace, place - 1), behind = stoppedAt(model, trace, place);
  const Cell p = &distributionAt(before, of.position).p(of.entry);
  const Cell moved = &distributionAt(behind, of.position).p(of.entry);
  return {derivedDifference(moved, p), {std::move(before), std::move(behind)}};
}

}  // namespace glassformer
