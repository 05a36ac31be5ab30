#include "core/lens/logit_lens.h"

#include <algorithm>
#include <cmath>

#include "core/lens/residual_stream.h"
#include "core/tensor/kernels.h"

namespace glassformer {
namespace {

// H = -Σ p ln p of p = softmax(x). Since ln p_i = x_i - ln Z, that is ln Z - Σ p_i x_i, with one logarithm in
// all.
float entropyOf(const float* x, const float* p, int n) {
  const auto largest = std::max_element(p, p + n) - p;
  const double logZ = x[largest] - std::log(static_cast<double>(p[largest]));
  double mean = 0;
  for (int i = 0; i < n; ++i) mean += p[i] > 0 ? static_cast<double>(p[i]) * x[i] : 0;
  return static_cast<float>(std::max(0.0, logZ - mean));
}

}  // namespace

void readAt(const Transformer& model, const Trace& trace, const ResidualPlace& place, int t, float* result) {
  const ModelConfig& config = model.config();
  const Parameters& weights = model.parameters();
  const float* x = &trace[place.passedOn](t, 0);
  if (!config.hasNorms() || !config.finalNorm)
    std::copy_n(x, config.width, result);
  else if (config.norm == NormKind::Rms)
    kernels().rmsNorm(x, weights["ln_f.weight"].data, config.normEpsilon, result, config.width);
  else
    kernels().layerNorm(x, weights["ln_f.weight"].data, weights["ln_f.bias"].data, config.normEpsilon, result,
                        config.width);
}

void measureLogitLens(const Transformer& model, const Trace& trace, int t, TensorSet& measurements) {
  const ModelConfig& config = model.config();
  const auto places = residualPlaces(config);
  const int P = static_cast<int>(places.size()), D = config.width, V = config.vocabulary;
  const TensorView unembedding = model.unembedding();

  Tensor normalized({P, D}), logits({P, V}), entropy({P});
  for (int place = 0; place < P; ++place)
    readAt(model, trace, places[static_cast<std::size_t>(place)], t, &normalized(place, 0));
  kernels().multiply(
      {P, V, D, normalized.values().data(), D, 1, unembedding.data, 1, D, logits.values().data(), V});
  // What the model really says, interventions on its last steps included.
  const TensorView said = trace["logits"];
  for (int v = 0; v < V; ++v) logits(P - 1, v) = said(t, v);

  Tensor probabilities({P, V});
  for (int place = 0; place < P; ++place) {
    const float* row = &logits(place, 0);
    float* p = &probabilities(place, 0);
    kernels().softmax(row, p, V);
    entropy(place) = entropyOf(row, p, V);
  }
  measurements.add(
      {"lens.next_token", "PV", "next token's probabilities, were the model to stop after each sublayer",
       "softmax(norm(x) · W_U)"},
      std::move(probabilities));
  measurements.add({"lens.next_token_entropy", "P", "how undecided that is, in nats", "H = −Σ p ln p"},
                   std::move(entropy));
}

}  // namespace glassformer
