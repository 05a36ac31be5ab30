#pragma once
#include "core/tensor/tape.h"

namespace glassformer {

// A simple recurrent network (Elman 1990), in two steps at every position: what the state before brings
// along, then the state. Every sequence has a state of its own, which is 0 before its beginning. What an
// intervention makes of a row is what the next one goes on from.

/// The rows [R, D] of a state that carried() reads and advance() fills.
Value stateRows(Tape& tape, int width, Stream stream);

/// r_t = h_{t−1} · W, with the state h [R, D] and W [D, D].
Value carried(Tape& tape, const Value& state, const Weight& weight);

/// h_t = tanh(u_t + r_t), with u [R, D] and r = carried(h). Its backward is backpropagation through time
/// (Werbos 1990), for which it needs carried()'s W.
void advance(Tape& tape, const Value& u, const Value& r, const Weight& weight, const Value& state);

}  // namespace glassformer
