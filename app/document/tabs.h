#pragma once
#include <vector>

#include "app/document/tab_text.h"
#include "app/document/workspace.h"

namespace glassformer {

/// What is written in every tab, in their order.
std::vector<TabText> allTabs(const Workspace& workspace);
/// Puts these, of which there is at least one, in place of all tabs; the one at `open`, or next to it, opens.
void setTabs(Workspace& workspace, std::vector<TabText> tabs, int open);

/// Notes how the open text is decoded, before a prepared one opens beside it with settings of its own.
void leaveTab(Workspace& workspace);
/// The open text is decoded again as it was when it was left so.
void returnToTab(Workspace& workspace);

}  // namespace glassformer
