#pragma once
#include <filesystem>

#include "app/engine/loaded_model.h"
#include "app/engine/open_model.h"
#include "app/engine/shown_model.h"
#include "app/engine/shown_pass.h"

namespace glassformer {

/// A trace from elsewhere as a model without weights. Its config is the one that the file's metadata have
/// ("config", a config.json) or that lies beside it; else what the shapes say. Its tokens are called as the
/// file says, or by a tokenizer beside it; else by their ids.
Result<LoadedModel> loadRecorded(const std::filesystem::path& file,
                                 const ProgressCallback& watch = noProgress);

/// The same beside a model that is open, as a pass of it: of its config, in its words. Refuses what cannot be
/// of it, naming the point: other depth, other shapes, ids beyond its vocabulary.
Result<OpenModel> openBeside(const std::filesystem::path& file, const OpenModel& model,
                             const ProgressCallback& watch = noProgress);

/// The one pass that it has, over the one text that it has read.
ShownPass recordedPass(const RecordedTrace& recorded, const ShownModel& model);

}  // namespace glassformer
