#pragma once
#include <memory>
#include <string>

#include "core/trace/tensor_set.h"
#include "core/trace/trace.h"

namespace glassformer {

/// "slope.blocks.0.mlp.hook_post": how much a number of a point changes with the one that it is f of: f′(x),
/// or f′(x) · u of a gate f(x) · u.
std::string slopeName(const std::string& point);
/// "open.blocks.0.mlp.hook_post": f(x) of a gate f(x) · u, how much it changes with u.
std::string openName(const std::string& point);

/// Adds these of every table that is computed number by number: activations, gates, and the states of a
/// recurrence; each as the operation's own backward has it, and each says what it is taken of. `trace` is of
/// a pass that says what made its numbers.
void measureSlopes(const std::shared_ptr<const Trace>& trace, TensorSet& set);

}  // namespace glassformer
