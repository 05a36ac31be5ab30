#pragma once
#include <string>

#include "core/model/config.h"
#include "core/tensor/tape.h"

namespace glassformer {

/// What a model needs is known before it is asked for, so that too much is an error with the numbers instead
/// of the end of the program. `available`: bytes (core/tensor/available_memory.h).

/// The weights, and the table of given positions.
double weightBytes(const ModelConfig& config);
Status checkWeightMemory(const ModelConfig& config, double available);

/// One pass over so many sequences of a text and, in an encoder-decoder, a source of so many tokens.
Tape::Bytes passBytes(const ModelConfig& config, int sequences, int tokens, int source = 0);
/// How much of such passes is kept where two of them, the one that is looked at and the next, are to take no
/// more than `budget` bytes: as much as fits, and the tables in any case.
Retained retainedWithin(const Tape::Bytes& pass, double budget);
/// Whether one that keeps so much can be made. While it runs, it needs the squares of one block besides.
Status checkPassMemory(const ModelConfig& config, int tokens, int source, double budget, double available);

/// Training: the weights, their gradients, once per shard, and the optimizer's two moments; the pass over a
/// batch, and at most as much for its gradients.
struct TrainedBatch {
  int sequences = 0, tokens = 0, source = 0, shards = 1;
};
Status checkTrainingMemory(const ModelConfig& config, const TrainedBatch& batch, double available);

/// What a file becomes in memory, where it cannot be read where it lies.
Status checkReadMemory(double needed, const std::string& file, double available);

/// What is not kept, where something is not: "scores, norms and activations".
std::string sparedWords(Retained kept);

/// "160 GB", "4.3 GB", "12 MB"; 1 GB is 10^9 bytes.
std::string byteWords(double bytes);

}  // namespace glassformer
