#pragma once
#include <string>

#include "core/model/pass.h"

namespace glassformer {

/// A simple recurrent network (Elman 1990) over x [R, D]: a state goes from token to token and is all that is
/// kept of the text. h_t = tanh(x_t · W_x + b + h_{t−1} · W_h), y_t = h_t · W_o + b_o. Returns [R, D].
/// An intervention on the state, or on what of it is carried on, flows on to the tokens behind it.
Value recurrence(Pass& pass, const std::string& weights, const Value& x);

}  // namespace glassformer
