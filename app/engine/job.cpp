#include "app/engine/job.h"

#include "app/document/workspace.h"
#include "app/engine/compared_interventions.h"
#include "app/engine/open_model.h"
#include "app/engine/shown_run.h"

namespace glassformer {

bool JobSide::isMoving() const { return glassformer::isMoving(of.workspace, snapshot); }

std::optional<PassKey> JobSide::pass() const {
  if (!snapshot.pass->hasTrace() || isMoving()) return std::nullopt;
  return PassKey{model, snapshot.pass->trace, interventions};
}

std::optional<CorpusKey> JobSide::corpus() const {
  if (isMoving()) return std::nullopt;
  return CorpusKey{model, corpusAsked(of.workspace, of.model.config())};
}

std::vector<JobSide> jobSides(const MeasuredModel& of, const Snapshot& snapshot) {
  const Snapshot* const other = snapshot.other.get();
  std::vector<JobSide> sides{{of, snapshot, of.model.shown->transformer, of.workspace.interventions, other}};
  if (!other || other->model->hasNoWeights()) return sides;
  const auto& trace = snapshot.pass->trace;
  sides.push_back({of, *other, of.other ? of.other : of.model.shown->transformer,
                   trace ? interventionsBeside(of.workspace, *trace) : Interventions(), &snapshot, false});
  return sides;
}

JobResult differenceOf(const JobResult& here, const JobResult& there, const Alignments& alignments,
                       bool (*isCompared)(std::string_view name)) {
  if (!here.measured || !there.measured) return {.missing = here.missing + there.missing};
  const auto compared = [&](const JobResult& side) {
    TensorSet some;
    for (int i = 0; i < side.measured->count(); ++i)
      if (isCompared(side.measured->point(i).name))
        some.add(side.measured->point(i), side.measured->tensor(i), side.measured);
    return some;
  };
  auto set = std::make_shared<TensorSet>();
  measureDifference(compared(here), compared(there), alignments, *set);
  return {std::move(set)};
}

}  // namespace glassformer
