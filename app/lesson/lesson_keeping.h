#pragma once
#include <filesystem>

#include "app/document/workspace.h"
#include "core/result.h"

namespace glassformer {

/// Writes what is looked at behind a lesson's last step, as the next one, with words to be replaced; into a
/// new lesson where there is no such file. What is there already is not touched, and where it cannot be read
/// as a lesson nothing is written.
Status keepAsStep(const std::filesystem::path& file, const Workspace& workspace);

}  // namespace glassformer
