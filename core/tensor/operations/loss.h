#pragma once
#include <vector>

#include "core/tensor/tape.h"

namespace glassformer {

/// What the loss compares with, per row of the tape; the trainer sets it before every step.
struct Targets {
  static constexpr int none = -1;  ///< rows that do not count
  std::vector<int> token;          ///< the right next token, or none
  float weight = 1;                ///< of each row in the loss: 1 / rows counted in the whole batch
  double loss = 0;                 ///< result: Σ weight · -log softmax(logits)[token] over this tape's rows
};

/// Ends a tape with the cross-entropy of its logits [R, V]. Its value and gradient come out of the same pass
/// over the logits, so both are computed when the tape runs backward.
void crossEntropy(Tape& tape, const Value& logits, Targets& targets);

/// The same loss of a tape that ran forward only; leaves everything as it is.
double crossEntropyAlone(const Tape& tape, const Value& logits, const Targets& targets);

}  // namespace glassformer
