#include "app/cli/computed.h"

#include "app/engine/engine.h"
#include "app/views/views.h"

namespace glassformer {

Result<std::shared_ptr<const Snapshot>> computed(const ModelLibrary& library, const Workspace& workspace) {
  Engine engine([&](const std::string& name, const Watch& watch) { return library.load(name, watch); }, [] {},
                neededFor);
  engine.request(workspace, 1);
  engine.finish();
  auto snapshot = engine.latest();
  if (!snapshot->error.empty()) return Error{snapshot->error, "", ""};
  return snapshot;
}

}  // namespace glassformer
