#pragma once
#include <filesystem>
#include <vector>

#include "app/document/command.h"
#include "app/document/workspace.h"

namespace glassformer {

/// What the open text can be compared with: the other tabs, and what computes it otherwise and makes a
/// difference.
std::vector<Compared> comparables(const Workspace& workspace);
/// Whether a tab that is named is there, and another than the open one; or a trace, beside a model.
bool exists(const Compared& with, const Workspace& workspace);

namespace commands {

Command compareWith(Compared with);
/// With what another program computed of this model, in a file of trace points, in place of one that was
/// there. Beside a trace from elsewhere it opens in a tab.
Command compareWithTrace(const std::filesystem::path& file);
Command forgetTrace();
Command setComparisonMode(ComparisonMode mode);

}  // namespace commands
}  // namespace glassformer
