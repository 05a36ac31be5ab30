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

void BackgroundJob::put(Snapshot& snapshot, const JobResult& here, const JobResult& there,
                        const JobResult& difference) {
  snapshot.kept = here;
  if (!snapshot.other) return;
  snapshot.other = with(*snapshot.other, &Snapshot::kept, there);
  if (snapshot.difference) snapshot.difference = with(*snapshot.difference, &Snapshot::kept, difference);
}

}  // namespace glassformer
