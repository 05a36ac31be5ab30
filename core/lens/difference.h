#pragma once
#include "core/lens/alignment.h"
#include "core/trace/tensor_set.h"

namespace glassformer {

/// How the tokens of two texts correspond, and those of their sources.
struct Alignments {
  Alignment text, source;
  const Alignment& of(Stream stream) const { return stream == Stream::Text ? text : source; }
};

/// Adds to `differences`, for every tensor that both sets have with the same name and letters, a − b under
/// that name. Dimensions T and S run over the columns of their stream's alignment; where one text has no such
/// position the value is NaN, for there is nothing to compare. Where both are minus infinity (masked in both)
/// it stays so. Tensors whose other dimensions disagree are left out.
void measureDifference(const TensorSet& a, const TensorSet& b, const Alignments& alignments,
                       TensorSet& differences);

}  // namespace glassformer
