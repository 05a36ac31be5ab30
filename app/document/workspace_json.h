#pragma once
#include <string>

#include "app/document/workspace.h"
#include "core/result.h"

namespace glassformer {

/// The Workspace as readable JSON: the text of a session file.
std::string toJson(const Workspace& workspace);
/// Fields that are missing keep their first-start values; fields of the wrong kind are an error naming the
/// field.
Result<Workspace> workspaceFromJson(const std::string& json);
/// Those fields of a session that are written, as session files have them; the others stay.
Status readFields(Workspace& workspace, const std::string& json);

}  // namespace glassformer
