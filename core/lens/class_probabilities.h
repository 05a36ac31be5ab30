#pragma once
#include "core/trace/tensor_set.h"
#include "core/trace/trace.h"

namespace glassformer {

/// What the head for classes makes of every token, lens.class_probability [T, classes]: p = softmax(u_C).
/// Nothing where the trace has no such head.
void measureClassProbabilities(const Trace& trace, TensorSet& measurements);
inline constexpr const char* classProbability = "lens.class_probability";

}  // namespace glassformer
