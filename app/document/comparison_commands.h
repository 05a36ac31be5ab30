#pragma once
#include <vector>

#include "app/document/command.h"
#include "app/document/workspace.h"

namespace glassformer {

/// What the open text can be compared with: the other tabs, and what computes it otherwise and makes a
/// difference.
std::vector<Compared> comparables(const Workspace& workspace);
/// Whether a tab that is named is there, and another than the open one.
bool exists(const Compared& with, const Workspace& workspace);

namespace commands {

Command compareWith(Compared with);
Command setComparisonView(ComparisonView view);

}  // namespace commands
}  // namespace glassformer
