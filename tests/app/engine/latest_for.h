#pragma once
#include <memory>
#include <string>
#include <utility>

#include "app/engine/engine.h"
#include "app/engine/model_library.h"
#include "app/views/views.h"

namespace glassformer {

/// One engine that answers one workspace after the other.
class Answering {
 public:
  explicit Answering(ModelLoader loader, int threads = 2)
      : engine_(
            std::move(loader), [] {}, neededFor, threads) {}
  /// With the models that ship and traces from elsewhere.
  Answering()
      : Answering([library = std::make_shared<const ModelLibrary>(SOURCE_FOLDER "/build")](
                      const std::string& name, const ProgressCallback& watch) {
          return library->loadOrTrace(name, watch);
        }) {}
  /// What it publishes in the end.
  std::shared_ptr<const Snapshot> operator()(const Workspace& workspace) {
    engine_.request(workspace, ++revision_);
    engine_.finish();
    return engine_.latest();
  }

 private:
  Engine engine_;
  std::uint64_t revision_ = 0;
};

/// What an engine of its own publishes for a workspace.
inline std::shared_ptr<const Snapshot> latestFor(const Workspace& workspace) {
  return Answering()(workspace);
}

}  // namespace glassformer
