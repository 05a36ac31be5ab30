#pragma once
#include <string_view>

#include "core/io/formats/model_format.h"
#include "core/io/stored_model.h"

namespace glassformer {

/// What a family's weights are called in a GGUF file, which is alike for all families: "blk.3.attn_q.weight".
/// The rest follows from the config, from whether queries, keys and values are one matrix there, and from the
/// architecture that the file names: of "llama" the rows of queries and keys are in the order in which
/// neighbours turn together, where Hugging Face's have the halves of a head.
ModelFormat ggufNames(const ModelFormat& family, const ModelConfig& config, const StoredModel& stored);

}  // namespace glassformer
