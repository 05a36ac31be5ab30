#pragma once
#include <string>

#include "app/document/workspace.h"
#include "core/model/config.h"
#include "core/result.h"

namespace glassformer {

/// What --head says: "2.0", or "L2H0" as heads are called, of an encoder-decoder also "cross.2.0", "enc.2.0"
/// and "dec.2.0".
inline constexpr const char* headOptionWords =
    "BLOCK.HEAD, counted from 0; of an encoder-decoder also cross.BLOCK.HEAD or enc.BLOCK.HEAD";
Status chooseHead(Selection& selection, const std::string& head);
/// Whether the model has the head that is chosen; an error says which it has.
Status checkHead(const Selection& selection, const ModelConfig& config);

}  // namespace glassformer
