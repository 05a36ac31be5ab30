#pragma once
#include <memory>

#include "app/document/workspace.h"
#include "app/engine/model_library.h"
#include "app/engine/snapshot.h"

namespace glassformer {

/// Everything that the window would show of this, computed to its end by the same engine.
Result<std::shared_ptr<const Snapshot>> computed(const ModelLibrary& library, const Workspace& workspace);

}  // namespace glassformer
