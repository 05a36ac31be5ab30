#include "app/engine/compared_interventions.h"

#include <algorithm>

#include "core/trace/every_text.h"

namespace glassformer {

bool isOfOpenText(const Workspace& workspace, const Intervention& intervention, const Trace& open) {
  return workspace.comparison.otherTab() && ofEveryText({intervention}, open).empty();
}

Interventions interventionsBeside(const Workspace& workspace, const Trace& open) {
  if (workspace.comparison.with == Comparison::withoutInterventions) return {};
  return workspace.comparison.otherTab() ? ofEveryText(workspace.interventions, open)
                                         : workspace.interventions;
}

}  // namespace glassformer
