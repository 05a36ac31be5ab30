#include "app/engine/need.h"

#include "app/document/trace_file.h"

namespace glassformer {

std::string whyNotOf(PointsRead points, const Workspace& workspace, const ModelConfig& config,
                     const Trace& trace) {
  const auto read = points ? points(workspace, config) : std::nullopt;
  if (!read) return needsWeightsWords;
  for (const std::string& point : *read)
    if (!trace.contains(point)) return "This needs " + point + "; the file has none.";
  return "";
}

namespace {

// What a job has, beside what others have.
JobResult joined(JobResult own, const JobResult& others) {
  if (!own.measured) {
    own.measured = others.measured;
  } else if (others.measured) {
    auto all = std::make_shared<TensorSet>(*own.measured);
    all->addMissing(*others.measured);
    own.measured = std::move(all);
  }
  if (own.missing.empty()) own.missing = others.missing;
  if (own.offered.empty()) own.offered = others.offered;
  if (own.tokenizers.empty()) own.tokenizers = others.tokenizers;
  return own;
}

void replace(Snapshot& snapshot, const JobResult& here, const JobResult& there, const JobResult& difference) {
  snapshot.kept = here;
  if (!snapshot.other) return;
  snapshot.other = with(*snapshot.other, &Snapshot::kept, there);
  if (!snapshot.difference) return;
  Snapshot both = *snapshot.difference;
  both.kept = difference;
  both.sides = std::make_shared<const Snapshot::Sides>(with(*both.sides->a, &Snapshot::kept, here),
                                                       snapshot.other, both.sides->alignments);
  snapshot.difference = std::make_shared<const Snapshot>(std::move(both));
}

}  // namespace

void BackgroundJob::clear(Snapshot& snapshot) { replace(snapshot, {}, {}, {}); }

void BackgroundJob::put(Snapshot& snapshot, const JobResult& here, const JobResult& there,
                        const JobResult& difference) {
  replace(snapshot, joined(here, snapshot.kept),
          snapshot.other ? joined(there, snapshot.other->kept) : JobResult{},
          snapshot.difference ? joined(difference, snapshot.difference->kept) : JobResult{});
}

}  // namespace glassformer
