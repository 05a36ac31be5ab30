#include "core/lens/token_probability.h"

#include <cmath>
#include <limits>

#include "core/trace/derived.h"

namespace glassformer {

void measureTokenProbability(const Trace& trace, TensorSet& measurements, const ProgressCallback& watch) {
  const TensorView logits = trace["logits"];  // [T, V]
  const int T = trace.tokenCount(), V = logits.extent[1];
  Tensor probability({T});
  probability(0) = std::numeric_limits<float>::quiet_NaN();
  for (int t = 1; t < T; ++t) {
    if (!watch(t, T)) return;
    const int token = trace.tokens()[static_cast<std::size_t>(t)];
    // 1 / Σ exp(l_v − l_x): softmax at one place, without a row of its own.
    double sum = 0;
    for (int v = 0; v < V; ++v) sum += std::exp(static_cast<double>(logits(t - 1, v)) - logits(t - 1, token));
    probability(t) = static_cast<float>(1 / sum);
  }
  watch(T, T);
  measurements.add({"lens.token_probability", "T", "probability of each token, given all before it",
                    "p = softmax(logits_{t−1})[x_t]"},
                   std::move(probability),
                   [logits, read = trace.tokens()](const Index& at) -> std::optional<Derivation> {
                     if (at[0] == 0) return std::nullopt;
                     return derivedProbability(logits[at[0] - 1], read[static_cast<std::size_t>(at[0])]);
                   });
}

}  // namespace glassformer
