#pragma once
#include "app/document/workspace.h"
#include "core/trace/trace.h"

namespace glassformer {

/// Whether an intervention is of the open text alone, where that is compared with another one: it was made at
/// one of its tokens, or of numbers that were taken from it. `open`: that text's trace.
bool isOfOpenText(const Workspace& workspace, const Intervention& intervention, const Trace& open);
/// What the pass goes through that the open one is compared with: nothing, where it is the one without; of
/// another text what means the same there.
Interventions interventionsBeside(const Workspace& workspace, const Trace& open);

}  // namespace glassformer
