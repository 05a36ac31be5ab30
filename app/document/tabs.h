#pragma once
#include <vector>

#include "app/document/workspace.h"
#include "app/document/writing.h"

namespace glassformer {

/// What is written in every tab, in their order.
std::vector<Writing> allTabs(const Workspace& workspace);
/// Puts these, of which there is at least one, in place of all tabs; the one at `open`, or next to it, opens.
void setTabs(Workspace& workspace, std::vector<Writing> tabs, int open);

}  // namespace glassformer
