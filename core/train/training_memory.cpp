#include "core/train/training_memory.h"

#include "core/model/memory_need.h"
#include "core/train/training_pass.h"

namespace glassformer {

double trainingPassBytes(const ModelConfig& config, const TrainedBatch& batch) {
  Transformer model = modelOfShapes(config);
  TrainingPass recorded(model, 1, 1, config.isEncoderDecoder() ? 1 : 0);
  const int sequences = batch.sequences / batch.shards;
  return batch.shards * (recorded.tape.bytesFor(sequences, batch.tokens, batch.source).all() +
                         recorded.tape.gradientBytesFor(sequences, batch.tokens, batch.source));
}

Status checkTrainingMemory(const ModelConfig& config, const TrainedBatch& batch, double available) {
  const double weights = (3 + batch.shards) * weightBytes(config);
  if (Status fits = refuseBeyond(weights, available,
                                 "training needs " + byteWords(weights) +
                                     " for the weights, their gradients and the optimizer's moments",
                                 "choose smaller sizes");
      !fits)
    return fits;
  const double passes = trainingPassBytes(config, batch);
  return refuseBeyond(weights + passes, available,
                      "training needs " + byteWords(weights + passes) + ", " + byteWords(passes) +
                          " of them for batches of " + std::to_string(batch.sequences) + " times " +
                          tokenCountWords(batch.tokens, batch.source),
                      "choose smaller sizes");
}

}  // namespace glassformer
