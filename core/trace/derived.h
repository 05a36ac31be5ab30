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
/// |x| of the number of a tensor that is furthest from 0, the first of them; NaN where one is.
Derivation derivedFurthest(const TensorView& x);
/// The mean of numbers, and their sample standard deviation √(Σ (x² − μ²) / (n − 1)).
Derivation derivedMean(const std::vector<Cell>& numbers);
Derivation derivedDeviation(const std::vector<Cell>& numbers, Cell mean);
/// Π x of numbers, times `coefficient`.
Derivation derivedProduct(std::initializer_list<Cell> numbers, float coefficient = 1);
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

/// Adds a tensor of one number, and says where it lies.
Cell addNumber(TensorSet& set, const std::string& name, std::string meaning, double number);
/// The same of one that is what its derivation gives.
Cell addNumber(TensorSet& set, TracePoint point, const Derivation& made);

}  // namespace glassformer
