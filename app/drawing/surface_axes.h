#pragma once
#include <optional>

#include "core/trace/tensor_set.h"

namespace glassformer {

/// What the rows (U) and columns (W) of a surface stand for: the numbers of another tensor.
struct SurfaceAxis {
  const char *tensor, *name;
};
/// Nothing for a letter that counts no steps.
std::optional<SurfaceAxis> surfaceAxis(const TracePoint& point, char letter);

}  // namespace glassformer
