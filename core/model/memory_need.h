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
/// Whether such a pass takes more than `limit` bytes, so that it drops its squares (Tape::dropSquares()).
inline bool dropsSquares(const Tape::Bytes& pass, double limit) {
  return pass.squares > 0 && pass.all() > limit;
}
/// Whether there is room for such a pass within the limit and on this machine. One that drops its squares
/// needs those of one block while it runs.
Status checkPassMemory(const ModelConfig& config, int tokens, int source, double limit, double available);

/// What a file becomes in memory, as float32.
Status checkReadMemory(double needed, const std::string& file, double available);

/// "160 GB", "4.3 GB", "12 MB"; 1 GB is 10^9 bytes.
std::string byteWords(double bytes);
/// "24 tokens", "24 tokens and 11 of the source".
std::string tokenCountWords(int tokens, int source);
/// An error where more is needed than there is, beginning with `what`.
Status refuseBeyond(double needed, double available, const std::string& what, const std::string& hint);

}  // namespace glassformer
