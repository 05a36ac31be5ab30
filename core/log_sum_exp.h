#pragma once
#include <algorithm>
#include <cmath>
#include <span>

namespace glassformer {

/// ln Σ exp x, in nats: what a softmax divides by, as a logarithm. The largest is taken out first, so that
/// nothing overflows. At least one number, finite or −∞.
inline double logSumExp(std::span<const float> x) {
  const double most = *std::ranges::max_element(x);
  double sum = 0;
  for (const float z : x) sum += std::exp(z - most);
  return most + std::log(sum);
}

}  // namespace glassformer
