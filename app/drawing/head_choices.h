#pragma once
#include <vector>

#include "app/drawing/parts.h"
#include "core/lens/head_id.h"

namespace glassformer {

/// The head before, and the next one, in the order of the blocks and around.
std::vector<Choice> neighbouringHeads(const ModelConfig& config, HeadId head);

}  // namespace glassformer
