#pragma once
#include <memory>

#include "app/engine/engine.h"
#include "app/engine/model_library.h"
#include "app/views/views.h"

namespace glassformer {

/// What the engine publishes in the end for a workspace, with the models that ship.
inline std::shared_ptr<const Snapshot> latestFor(const Workspace& workspace) {
  const ModelLibrary library(SOURCE_FOLDER "/build");
  Engine engine([&](const std::string& name, const Watch& watch) { return library.load(name, watch); }, [] {},
                neededFor);
  engine.request(workspace, 1);
  engine.finish();
  return engine.latest();
}

}  // namespace glassformer
