#pragma once
#include <initializer_list>

#include "core/trace/tensor_set.h"

namespace glassformer {

/// Adds a tensor whose every number is what its derivation gives.
inline void addDerived(TensorSet& set, TracePoint point, std::initializer_list<int> extents,
                       const TensorSet::DerivationOf& derivation) {
  Tensor values(extents);
  std::size_t i = 0;
  values.view().forEach([&](const std::array<int, maxRank>& at, float) {
    values.values()[i++] = static_cast<float>(derivation(at).value());
  });
  set.add(std::move(point), std::move(values), derivation);
}

}  // namespace glassformer
