#pragma once
#include "app/views/steps/step_operands.h"

namespace glassformer {

// What the operands of steps are called.

/// "W_U" for "W_Uᵀ", and the other way round.
std::string turned(const std::string& symbol);
/// An operation that takes no matrix.
StepOperand bareOperation(std::string words);
/// The left side of "q = n · W_Q + b_Q".
std::string symbolIn(const std::string& equation);
/// The same numbers by the name that they have in the block of `here`, where they have several: what one
/// block leaves the next one finds.
TensorRef calledNear(const std::string& here, TensorRef ref, const Trace& trace);

/// The matrices that an operation reads, by what the tape says made the numbers of `result`, whose numbers
/// `cells` are: of a sum its summands and products, of copies the table of which its rows are. Nothing where
/// they are no planes of tensors.
std::vector<StepOperand> recordedOperands(const SceneInput& input, const TensorRef& result,
                                          const TensorView& cells);

}  // namespace glassformer
