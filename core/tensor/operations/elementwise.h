#pragma once
#include <cstdint>

#include "core/tensor/tape.h"

namespace glassformer {

/// y = a + b.
Value add(Tape& tape, const Value& a, const Value& b);

enum class Nonlinearity { GeluTanh, Gelu, Relu };
/// y = f(x), element by element (GELU: Hendrycks & Gimpel 2016).
Value activate(Tape& tape, const Value& x, Nonlinearity nonlinearity);

/// What dropout draws its masks from; the trainer sets it before every step. Masks depend on the step, the
/// operation and the row's place in the whole batch, never on how the batch is shared among threads.
struct DropoutSource {
  std::uint64_t seed = 0;
  int firstRow = 0;  ///< place of this tape's first row in the batch
};
/// y = x ⊙ m / (1 - p), each m being 0 with probability p, else 1 (Srivastava et al. 2014).
Value dropout(Tape& tape, const Value& x, float probability, const DropoutSource& source);

}  // namespace glassformer
