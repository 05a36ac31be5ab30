#pragma once
#include <string>
#include <vector>

#include "app/document/model_changes.h"
#include "app/engine/model_library.h"

namespace glassformer {

/// What `--set norm=rms --set n_layer=6` asks for.
Result<ModelChanges> parseChanges(const std::vector<std::string>& settings);

/// A model with these choices made otherwise; says on stderr which weights are random again.
Result<LoadedModel> loadChanged(const ModelLibrary& library, const std::string& model,
                                const std::vector<std::string>& settings);

}  // namespace glassformer
