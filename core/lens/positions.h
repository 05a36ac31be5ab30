#pragma once
#include "core/model/transformer.h"
#include "core/trace/tensor_set.h"

namespace glassformer {

/// Adds positions.model [C, D] (the table the model uses), positions.sinusoidal [C, D] (Vaswani et al. 2017)
/// and, for both, their similarity [C, C]: cosine of every position with every other. Depends on the model
/// alone.
void measurePositions(const Transformer& model, TensorSet& measurements);

}  // namespace glassformer
