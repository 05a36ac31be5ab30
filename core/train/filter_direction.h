#pragma once
#include <cstdint>

#include "core/model/parameters.h"

namespace glassformer {

/// Which weights of a parameter belong together. A filter is what one output unit reads (Li et al. 2018,
/// section 4): scaling it up and the next layer down changes nothing that the model computes, so a step in
/// weight space only means something relative to its length.
///   A matrix [in, out] (y = x · W): unit j reads column j, so a filter is a column.
///   A table (see isTable; one row per token, position or type): only one row is read at a time, and the
///   logit of token v is x · lm_head[v], so a filter is a row.
///   The taps of a convolution [D, J·D]: unit j reads column j of every tap, so these J columns are one
///   filter; of a depthwise one [J, D] a column is.
/// Vectors (norms, biases) have none.
class FilterShape {
 public:
  FilterShape(const ParameterSpec& spec);

  int count() const { return count_; }
  /// The filter of entry (row, column) of the matrix.
  int at(int row, int column) const { return byRow_ ? row : column % count_; }

 private:
  bool byRow_ = false;
  int count_ = 0;
};

/// A random direction in weight space, filter-normalised: Gaussian numbers, every filter of them scaled to
/// the norm of the same filter of `weights`; vectors are 0, as in the paper. Of two seeds the directions are
/// nearly orthogonal. The same numbers for the same seed, whatever the machine.
Parameters filterNormalizedDirection(const Parameters& weights, std::uint64_t seed);

}  // namespace glassformer
