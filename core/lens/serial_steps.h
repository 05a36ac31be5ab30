#pragma once
#include <string_view>

#include "core/model/config.h"
#include "core/trace/tensor_set.h"

namespace glassformer {

/// Adds lens.serial_steps [L, T] for the first `tokens` positions of a text beside `source` of a source: how
/// many steps have to be taken one after the other until the state that block l leaves at t is there, if all
/// that can be done at once is done at once (Vaswani et al. 2017, table 1). Embeddings are there at 0, and a
/// block takes one step more than the latest state that it waits for:
///   attention, convolution: those that it sees in the block before; all in all L steps, however long a text;
///   recurrence: besides, the token before in the same block; T + L − 1 steps.
/// A decoder waits for the encoder, too, whose steps are lens.encoder_steps [L, S] where it reads any.
/// Depends on the config alone. `suffix` is put behind the name: of a network beside the model's own.
void measureSerialSteps(const ModelConfig& config, int tokens, int source, TensorSet& measurements,
                        std::string_view suffix = "");

}  // namespace glassformer
