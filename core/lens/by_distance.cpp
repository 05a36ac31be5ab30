#include "core/lens/by_distance.h"

#include <cmath>
#include <limits>

namespace glassformer {

Tensor meanByDistance(const TensorView& pairs, int step, int distances) {
  const int T = pairs.extent[0], S = pairs.extent[1];
  Tensor means({distances});
  for (int distance = 0; distance < distances; ++distance) {
    double sum = 0;
    int count = 0;
    for (int t = 0; t < T; ++t)
      if (const int s = t + step * distance; s >= 0 && s < S && !std::isnan(pairs(t, s)))
        sum += pairs(t, s), ++count;
    means(distance) = count > 0 ? static_cast<float>(sum / count) : std::numeric_limits<float>::quiet_NaN();
  }
  return means;
}

}  // namespace glassformer
