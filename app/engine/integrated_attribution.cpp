#include "app/engine/integrated_attribution.h"

#include "app/document/attribution_settings.h"
#include "app/document/workspace.h"
#include "app/engine/compared_interventions.h"
#include "app/engine/open_model.h"
#include "app/engine/shown_run.h"

namespace glassformer {

IntegratedAttribution::Side IntegratedAttribution::sideOf(const MeasuredModel& of, const Snapshot& snapshot,
                                                          const std::shared_ptr<const Transformer>& model) {
  const bool isThere = snapshot.pass->hasTrace() && snapshot.pass->predicted.entry >= 0 &&
                       snapshot.pass->predicted.position < snapshot.pass->trace->tokenCount();
  if (!isThere) return {};
  const int V = model->config().vocabulary, entry = snapshot.pass->predicted.entry;
  const ViewSettings& settings = of.workspace.settings;
  Side side;
  side.model = model, side.trace = snapshot.pass->trace, side.interventions = of.workspace.interventions;
  side.logit = {snapshot.pass->predicted, chosenAgainst(settings, entry, V)};
  side.baseline = chosenBaseline(settings, V), side.most = chosenGradients(settings);
  return side;
}

std::array<IntegratedAttribution::Side, 2> IntegratedAttribution::asked(const MeasuredModel& of,
                                                                        const Snapshot& snapshot) {
  std::array<Side, 2> sides;
  if (isMoving(of.workspace, snapshot)) return sides;
  sides[0] = sideOf(of, snapshot, of.model.shown->transformer);
  if (!snapshot.other || snapshot.other->model->hasNoWeights()) return sides;
  sides[1] = sideOf(of, *snapshot.other, of.other ? of.other : of.model.shown->transformer);
  if (snapshot.pass->trace) sides[1].interventions = interventionsBeside(of.workspace, *snapshot.pass->trace);
  return sides;
}

JobResult IntegratedAttribution::keptOf(const Side& side, const Side& asked) {
  if (!asked.model || !side.isOf(asked) || side.gradients->steps() == 0) return {};
  auto set = std::make_shared<TensorSet>();
  side.gradients->addTo(*set);
  return {std::move(set)};
}

// Token by token, where both texts have one; the path is one text's own.
JobResult IntegratedAttribution::differenceOf(const JobResult& here, const JobResult& there,
                                              const Alignments& alignments) {
  if (!here.measured || !there.measured) return {};
  auto all = std::make_shared<TensorSet>(), set = std::make_shared<TensorSet>();
  measureDifference(*here.measured, *there.measured, alignments, *all);
  for (int i = 0; i < all->count(); ++i)
    if (all->point(i).name != integrated::path) set->add(all->point(i), all->tensor(i), all);
  return {std::move(set)};
}

void IntegratedAttribution::show(const MeasuredModel& of, Snapshot& snapshot) const {
  const std::array<Side, 2> now = asked(of, snapshot);
  const JobResult here = keptOf(sides_[0], now[0]), there = keptOf(sides_[1], now[1]);
  const auto& difference = snapshot.difference;
  put(snapshot, here, there,
      difference ? differenceOf(here, there, difference->sides->alignments) : JobResult{});
}

bool IntegratedAttribution::prepare(const MeasuredModel& of, const Snapshot& snapshot, const StartJob&) {
  std::array<Side, 2> now = asked(of, snapshot);
  bool isNew = false;
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (!now[i].model || sides_[i].isOf(now[i])) continue;
    sides_[i] = std::move(now[i]), isNew = true;
    Side& side = sides_[i];
    side.gradients = std::make_unique<IntegratedGradients>(*side.model, *side.trace, side.interventions,
                                                           side.logit, side.baseline);
  }
  return isNew;
}

void IntegratedAttribution::measure(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin,
                                    const std::function<void()>& more) {
  const std::array<Side, 2> now = asked(of, snapshot);
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (!now[i].model || !sides_[i].isOf(now[i])) continue;
    IntegratedGradients& gradients = *sides_[i].gradients;
    const ProgressCallback watch = begin(doing);
    while (!gradients.isFinished(sides_[i].most)) {
      if (!watch(gradients.steps(), sides_[i].most)) return;
      gradients.refine();
      more();
    }
  }
}

}  // namespace glassformer
