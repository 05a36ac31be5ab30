#pragma once
#include "core/tensor/tape.h"

namespace glassformer {

/// y[t, j] = x[t + a − j, j] for j < taps, and 0 outside of the sequence, where x[·, j] is the j-th of as
/// many equal parts of x's columns: tap 0 is a = `ahead` tokens early, each one more is one token later. With
/// x = n · [W_0 W_1 ...] and a = 0 the parts of a row add up to the causal convolution Σ_j n_{t−j} · W_j.
Value delayed(Tape& tape, const Value& x, int taps, int ahead = 0);

/// y[t, j] = x[t] ⊙ w[j], every tap's own number for every channel: x [R, D], w [J, D], y [R, J·D].
Value tapProducts(Tape& tape, const Value& x, const Weight& weight);

}  // namespace glassformer
