#include "core/lens/by_distance.h"

#include <cmath>
#include <limits>
#include <optional>

#include <optional>
#include "core/trace/derived.h"

namespace glassformer {
namespace {

// The pairs of a distance that have a number.
Derivation sumAtDistance(const TensorView& pairs, int step, int distance) {
  Derivation sum;
  for (int t = 0; t < pairs.extent[0]; ++t)
    if (const int s = t + step * distance; s >= 0 && s < pairs.extent[1] && !std::isnan(pairs(t, s)))
      sum.terms.push_back({&pairs(t, s)});
  return sum;
}

}  // namespace

TensorSet::DerivationOf atDistance(const TensorView& pairs, int step) {
  return [=](const Index& at) -> std::optional<Derivation> {
    Derivation mean = sumAtDistance(pairs, step, at[0]);
    if (mean.terms.empty()) return std::nullopt;
    for (Term& term : mean.terms) term.coefficient = 1 / static_cast<float>(mean.terms.size());
    return mean;
  };
}

Tensor meanByDistance(const TensorView& pairs, int step, int distances) {
  Tensor means({distances});
  for (int distance = 0; distance < distances; ++distance) {
    const Derivation sum = sumAtDistance(pairs, step, distance);
    const auto count = static_cast<double>(sum.terms.size());
    means(distance) =
        count > 0 ? static_cast<float>(sum.value() / count) : std::numeric_limits<float>::quiet_NaN();
  }
  return means;
}

}  // namespace glassformer
