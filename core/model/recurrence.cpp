#include "core/model/recurrence.h"

#include "core/tensor/operations/linear.h"
#include "core/tensor/operations/recurrence.h"

namespace glassformer {

Value recurrence(Pass& pass, const std::string& weights, const Value& x) {
  Tape& tape = pass.tape();
  const auto project = [&](const char* name, const Value& from) {
    return linear(tape, from, pass.weight(weights + name + ".weight"), pass.bias(weights + name + ".bias"));
  };
  const Value u = pass.point("recurrence.hook_input", project("c_input", x));  // [T, D]
  CarriedState carried(tape, pass.weight(weights + "c_state.weight"), u.stream);
  const Value r = pass.point("recurrence.hook_carried", carried.value());    // [T, D]
  const Value h = pass.point("recurrence.hook_state", advance(tape, u, r));  // [T, D]
  carried.close(h);
  return project("c_proj", h);  // [T, D]
}

}  // namespace glassformer
