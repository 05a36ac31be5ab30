#pragma once
#include <string>

#include "app/document/command.h"
#include "app/document/model_changes.h"

namespace glassformer {

namespace commands {

/// What undo calls that a model was opened.
inline constexpr const char* openingModel = "model";
/// A model of another kind of text brings its own tabs, see deskOf().
Command setModel(std::string model, ModelChanges changes = {});
/// What the config of the open model has otherwise than it was loaded.
/// With a `gesture`, however long that takes, they are undone at once.
Command setModelChanges(ModelChanges changes, std::string gesture = "");
Command resetModel();

}  // namespace commands
}  // namespace glassformer
