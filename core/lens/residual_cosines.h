#pragma once
#include "core/model/transformer.h"
#include "core/trace/tensor_set.h"
#include "core/trace/trace.h"
#include "core/watch.h"

namespace glassformer {

/// Adds lens.residual_cosine [T, P, P], of the encoder lens.encoder.residual_cosine: for each token the
/// cosine between its residual stream at any two of the places of residual_stream.h. The column of the last
/// place compares each state with the final one.
void measureResidualCosines(const Transformer& model, const Trace& trace, TensorSet& measurements,
                            Stream stream = Stream::Text, const ProgressCallback& watch = noProgress);

}  // namespace glassformer
