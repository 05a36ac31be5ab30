#pragma once
#include "core/tensor/tape.h"

namespace glassformer {

// A simple recurrent network (Elman 1990), in two steps at every position: what the state before brings
// along, then the state. Every sequence has a state of its own, which is 0 before its beginning. What an
// intervention makes of a row is what the next one goes on from. Run backward, from the last position to the
// first, it is backpropagation through time (Werbos 1990).

/// r_t = h_{t−1} · W, with W [D, D]. It comes before the state h of its own row: close() says which one h is.
class CarriedState {
 public:
  CarriedState(Tape& tape, const Weight& weight, Stream stream);
  const Value& value() const { return r_; }  ///< r [R, D]
  void close(const Value& state);            ///< h [R, D]

 private:
  class Step;
  Step* step_;
  Value r_;
};

/// h_t = tanh(u_t + r_t), with u and r [R, D].
Value advance(Tape& tape, const Value& u, const Value& r);

}  // namespace glassformer
