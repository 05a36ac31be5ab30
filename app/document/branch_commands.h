#pragma once
#include <string>

#include "app/document/command.h"
#include "app/document/writing.h"

namespace glassformer::commands {

/// The next free letter names it. What is already kept is not kept twice, nor more than mostBranches.
Command keepBranch(Writing writing);
/// Gives the branch at this place another name; an empty one leaves it its own.
Command renameBranch(int branch, std::string name);
Command recolorBranch(int branch);
Command dropBranch(int branch);
/// Puts what it is of into the open tab ...
Command takeWriting(Writing writing, const std::string& name);
/// ... into a tab of its own, which opens ...
Command writingToTab(Writing writing);
/// ... or into one that the open text is compared with.
Command compareWithWriting(Writing writing);

}  // namespace glassformer::commands
