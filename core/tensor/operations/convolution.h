#pragma once
#include "core/tensor/tape.h"

namespace glassformer {

/// y[t, j] = x[t − j, j] for j < taps, and 0 before the beginning of the sequence, where x[·, j] is the j-th
/// of as many equal parts of x's columns: tap j is j tokens late. With x = n · [W_0 W_1 ...] the parts of a
/// row add up to the causal convolution Σ_j n_{t−j} · W_j.
Value delayed(Tape& tape, const Value& x, int taps);

}  // namespace glassformer
