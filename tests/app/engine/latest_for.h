#pragma once
#include <memory>

#include "app/engine/engine.h"
#include "app/engine/model_library.h"
#include "app/views/views.h"

namespace glassformer {

/// One engine that answers one workspace after the other, with the models that ship and traces from
/// elsewhere.
class Answering {
 public:
  /// What it publishes in the end.
  std::shared_ptr<const Snapshot> operator()(const Workspace& workspace) {
    engine_.request(workspace, ++revision_);
    engine_.finish();
    return engine_.latest();
  }

 private:
  ModelLibrary library_{SOURCE_FOLDER "/build"};
  Engine engine_{
      [this](const std::string& name, const Watch& watch) { return library_.loadOrTrace(name, watch); },
      [] {}, neededFor};
  std::uint64_t revision_ = 0;
};

/// What an engine of its own publishes for a workspace.
inline std::shared_ptr<const Snapshot> latestFor(const Workspace& workspace) {
  return Answering()(workspace);
}

}  // namespace glassformer
