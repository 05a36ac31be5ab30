#include "core/lens/by_distance.h"

#include <cmath>
#include <limits>
#include <optional>

namespace glassformer {
namespace {

Derivation meanAtDistance(const TensorView& pairs, int step, int distance) {
  Derivation mean;
  for (int t = 0; t < pairs.extent[0]; ++t)
    if (const int s = t + step * distance; s >= 0 && s < pairs.extent[1] && !std::isnan(pairs(t, s)))
      mean.terms.push_back({&pairs(t, s)});
  for (Term& term : mean.terms) term.coefficient = 1 / static_cast<float>(mean.terms.size());
  return mean;
}

}  // namespace

TensorSet::DerivationOf atDistance(const TensorView& pairs, int step) {
  return [=](const Index& at) -> std::optional<Derivation> {
    Derivation mean = meanAtDistance(pairs, step, at[0]);
    if (mean.terms.empty()) return std::nullopt;
    return mean;
  };
}

Tensor meanByDistance(const TensorView& pairs, int step, int distances) {
  Tensor means({distances});
  for (int distance = 0; distance < distances; ++distance) {
    const Derivation mean = meanAtDistance(pairs, step, distance);
    means(distance) =
        mean.terms.empty() ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(mean.value());
  }
  return means;
}

}  // namespace glassformer
