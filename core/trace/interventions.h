#pragma once
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "core/tensor/tensor.h"

namespace glassformer {

enum class InterventionKind { Zero, Scale, Add, Replace };

/// Overrides part of one trace point while the forward pass runs; everything downstream sees the changed
/// values. `index` selects: -1 means every index of that dimension, so {2, -1, -1} on a pattern [H, T, S] is
/// the whole of head 2 and {2, 5, 3} is one cell.
struct Intervention {
  static constexpr int every = -1;

  std::string point;  ///< name of the trace point
  InterventionKind kind = InterventionKind::Zero;
  std::array<int, maxRank> index{every, every, every, every};
  float value = 0;  ///< factor (Scale), summand (Add), new value (Replace)
  std::shared_ptr<const Tensor>
      tensor;  ///< Add, Replace: values element by element instead of `value`; whole-tensor shape

  bool operator==(const Intervention&) const = default;
};

using Interventions = std::vector<Intervention>;

}  // namespace glassformer
