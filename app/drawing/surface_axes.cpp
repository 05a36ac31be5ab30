#include "app/drawing/surface_axes.h"

#include "app/engine/position_bench.h"
#include "core/lens/softmax_pair.h"

namespace glassformer {

std::optional<SurfaceAxis> surfaceAxis(const TracePoint& point, char letter) {
  if (letter != 'U' && letter != 'W') return std::nullopt;
  if (point.name.starts_with("lens.softmax_"))
    return letter == 'U' ? SurfaceAxis{softmaxPair::second, "x₂"} : SurfaceAxis{softmaxPair::first, "x₁"};
  if (point.name.starts_with(positionBench::share)) return SurfaceAxis{positionBench::tokens, "tokens"};
  return letter == 'U' ? SurfaceAxis{"landscape.b", "b"} : SurfaceAxis{"landscape.a", "a"};
}

}  // namespace glassformer
