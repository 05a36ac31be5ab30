#pragma once
#include "core/model/pass.h"
#include "core/model/transformer.h"
#include "core/tensor/huge_pages.h"
#include "core/train/training_loss.h"

namespace glassformer {

/// The forward pass over some sequences of a batch with their loss, recorded to be run in reverse, and where
/// the gradients of the weights go.
struct TrainingPass {
  /// `source`: tokens of each source, in an encoder-decoder.
  TrainingPass(Transformer& model, int sequences, int tokens, int source)
      : gradients(inHugePages(model.parameters().values().size())),
        tape(sequences, tokens, source),
        pass(tape, model.config(), model.parameters(), {gradients.data(), &dropout}),
        targets(pass, model.config(), model.forward(pass)) {
    targets.differentiate(tape);
  }

  AlignedVector gradients;  ///< laid out like Parameters::values()
  DropoutSource dropout;
  Tape tape;
  Pass pass;
  TrainingLoss targets;
};

}  // namespace glassformer
