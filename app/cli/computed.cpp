#include "app/cli/computed.h"

#include "app/views/views.h"

namespace glassformer {

Computer::Computer(const ModelLibrary& library)
    : engine_([&library](const std::string& name,
                         const Watch& watch) { return library.loadOrTrace(name, watch); },
              [] {}, neededFor) {}

std::shared_ptr<const Snapshot> Computer::operator()(const Workspace& workspace) {
  engine_.request(workspace, ++revision_);
  engine_.finish();
  return engine_.latest();
}

Result<std::shared_ptr<const Snapshot>> computed(const ModelLibrary& library, const Workspace& workspace) {
  auto snapshot = Computer(library)(workspace);
  if (!snapshot->standing.error.empty()) return Error{snapshot->standing.error, "", ""};
  return snapshot;
}

}  // namespace glassformer
