#pragma once
#include <string>

#include "app/document/command.h"
#include "app/document/tab_text.h"

namespace glassformer::commands {

/// The next free letter names it. What is already kept is not kept twice, nor more than mostBranches.
Command keepBranch(TabText writing);
/// Gives the branch at this place another name; an empty one leaves it its own.
Command renameBranch(int branch, std::string name);
Command recolorBranch(int branch);
Command dropBranch(int branch);
/// Puts what it is of into the open tab ...
Command takeWriting(TabText writing, const std::string& name);
/// ... into a tab of its own, which opens ...
Command writingToTab(TabText writing);
/// ... or into one that the open text is compared with.
Command compareWithWriting(TabText writing);

}  // namespace glassformer::commands
