#pragma once
#include <initializer_list>

#include "core/tensor/derivation.h"
#include "core/trace/tensor_set.h"

namespace glassformer {

/// Of a number in a tensor.
using Index = std::array<int, maxRank>;

/// ‖x‖ = √Σ x² of a vector.
Derivation derivedLength(const TensorView& x);
/// Σ a b of two vectors, times `coefficient`.
Derivation derivedDot(const TensorView& a, const TensorView& b, float coefficient = 1);
/// a · b / (‖a‖ ‖b‖); 0 where one of them has no length.
Derivation derivedCosine(const TensorView& a, const TensorView& b);
/// a − b.
Derivation derivedDifference(Cell a, Cell b);
/// The mean of numbers, and their sample standard deviation √(Σ (x² − μ²) / (n − 1)).
Derivation derivedMean(const std::vector<Cell>& numbers);
Derivation derivedDeviation(const std::vector<Cell>& numbers, Cell mean);
/// ln x.
Derivation derivedLogarithm(Cell x);
/// What a softmax makes of the logits [V], one for each of what they are `over`, for one of them.
Derivation derivedProbability(const TensorView& logits, int entry, const char* over = "tokens");

/// Adds a tensor whose every number is what its derivation gives.
inline void addDerived(TensorSet& set, TracePoint point, std::initializer_list<int> extents,
                       const TensorSet::DerivationOf& derivation) {
  Tensor values(extents);
  std::size_t i = 0;
  values.view().forEach([&](const std::array<int, maxRank>& at, float) {
    values.values()[i++] = static_cast<float>(derivation(at)->value());
  });
  set.add(std::move(point), std::move(values), derivation);
}

}  // namespace glassformer
