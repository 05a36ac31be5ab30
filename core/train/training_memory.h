#pragma once
#include "core/model/config.h"
#include "core/result.h"

namespace glassformer {

/// A batch of training, as large as TrainingOptions have it, and in how many shards.
struct TrainedBatch {
  int sequences = 0, tokens = 0, source = 0, shards = 1;
};

/// What the passes over all of it take, with the gradients of everything in them.
double trainingPassBytes(const ModelConfig& config, const TrainedBatch& batch);
/// Whether there is room for these, the weights, their gradients, once per shard, and the optimizer's two
/// moments. `available`: bytes (core/tensor/available_memory.h).
Status checkTrainingMemory(const ModelConfig& config, const TrainedBatch& batch, double available);

}  // namespace glassformer
