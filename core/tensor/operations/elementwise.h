#pragma once
#include <cstdint>

#include "core/tensor/tape.h"

namespace glassformer {

/// y = a + b.
Value add(Tape& tape, const Value& a, const Value& b);

/// y = x, for interventions that must not reach x itself.
Value copy(Tape& tape, const Value& x);

/// y = x / √D, with x [R, D].
Value dividedByRoot(Tape& tape, const Value& x);

/// y = b + Σ_h x[·, h]: the heads' shares of x [R, H·D] added up, and a bias [D]. `letter` counts them.
Value sumOfHeads(Tape& tape, const Value& x, int heads, char letter, const Weight& bias);

enum class Nonlinearity {
  GeluTanh,
  Gelu,  ///< Hendrycks & Gimpel 2016
  Relu,
  Silu,        ///< x / (1 + e⁻ˣ) (Elfwing et al. 2017)
  EluPlusOne,  ///< x + 1 for x > 0, else eˣ: always positive (Katharopoulos et al. 2020, eq. 7)
};
/// y = f(x), element by element.
Value activate(Tape& tape, const Value& x, Nonlinearity nonlinearity);

/// y = f(x) ⊙ u (Shazeer 2020: f is silu in SwiGLU, GELU in GeGLU).
Value gated(Tape& tape, const Value& x, const Value& u, Nonlinearity gate);

/// What dropout draws its masks from; the trainer sets it before every step. Masks depend on the step, the
/// operation and the row's place in the whole batch, never on how the batch is shared among threads.
struct DropoutSource {
  std::uint64_t seed = 0;
  int shard = 0;       ///< which share of the batch this tape has; all are equally large
  bool active = true;  ///< false: every m is 1 - p, as where nothing is trained
};
/// y = x ⊙ m / (1 - p), each m being 0 with probability p, else 1 (Srivastava et al. 2014).
Value dropout(Tape& tape, const Value& x, float probability, const DropoutSource& source);

}  // namespace glassformer
