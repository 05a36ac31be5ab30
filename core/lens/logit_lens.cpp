#include "core/lens/logit_lens.h"

#include <algorithm>
#include <cmath>

#include "core/lens/derived.h"
#include "core/lens/equation_words.h"
#include "core/lens/residual_stream.h"
#include "core/model/feed_forward.h"
#include "core/model/head.h"
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

void normalizeRow(const Transformer& model, const std::string& norm, const float* x, float* y) {
  const ModelConfig& config = model.config();
  const float* gamma = model.parameters()[norm + ".weight"].data;
  if (config.norm == NormKind::Rms)
    kernels().rmsNorm(x, gamma, config.normEpsilon, y, config.width);
  else
    kernels().layerNorm(x, gamma, model.parameters()[norm + ".bias"].data, config.normEpsilon, y,
                        config.width);
}

// x becomes LN(f(x · W + b)), row by row.
void throughHead(const Transformer& model, int rows, float* x) {
  const ModelConfig& config = model.config();
  const Parameters& weights = model.parameters();
  const int D = config.width;
  Tensor u({rows, D});
  const bool isBiased = weights.find("head.c_fc.bias") >= 0;
  for (int row = 0; isBiased && row < rows; ++row) std::copy_n(weights["head.c_fc.bias"].data, D, &u(row, 0));
  kernels().multiply(
      {rows, D, D, x, D, 1, weights["head.c_fc.weight"].data, D, 1, u.values().data(), D, 1, isBiased});
  activate(headActivation(config), u.values(), {x, u.values().size()});
  for (int row = 0; config.hasNorms() && row < rows; ++row) {
    float* y = x + static_cast<std::ptrdiff_t>(row) * D;
    std::copy_n(y, D, &u(row, 0));
    normalizeRow(model, "head.ln_head", &u(row, 0), y);
  }
}

}  // namespace

void readAt(const Transformer& model, const Trace& trace, const ResidualPlace& place, int t, int rows,
            float* result) {
  const ModelConfig& config = model.config();
  const TensorView stream = trace[place.passedOn];
  const int D = config.width;
  const bool isNormed = config.hasNorms() && config.finalNorm;
  for (int row = 0; row < rows; ++row) {
    const float* x = &stream(t + row, 0);
    float* y = result + static_cast<std::ptrdiff_t>(row) * D;
    if (isNormed)
      normalizeRow(model, "ln_f", x, y);
    else
      std::copy_n(x, D, y);
  }
  if (config.headTransform) throughHead(model, rows, result);
  const float scale = config.unembeddingScale();
  for (std::int64_t i = 0; scale != 1 && i < static_cast<std::int64_t>(rows) * D; ++i) result[i] *= scale;
}

void unembedRows(const Transformer& model, const float* x, int rows, float* logits) {
  const int D = model.config().width, V = model.config().vocabulary;
  const bool isBiased = model.config().unembeddingBias;
  for (int row = 0; isBiased && row < rows; ++row)
    std::copy_n(model.parameters()["lm_head.bias"].data, V, logits + static_cast<std::ptrdiff_t>(row) * V);
  kernels().multiply({rows, V, D, x, D, 1, model.unembedding().data, 1, D, logits, V, 1, isBiased});
  const float c = model.config().logitCap;
  for (std::int64_t i = 0; c > 0 && i < static_cast<std::int64_t>(rows) * V; ++i)
    logits[i] = c * std::tanh(logits[i] / c);
}

namespace {

// The logits at each place [P, V], were the model to stop there.
Tensor logitsOfStops(const Transformer& model, const Trace& trace, int t) {
  const auto places = residualPlaces(model);
  const int P = static_cast<int>(places.size());
  Tensor normalized({P, model.config().width}), logits({P, model.config().vocabulary});
  for (int place = 0; place < P; ++place)
    readAt(model, trace, places[static_cast<std::size_t>(place)], t, 1, &normalized(place, 0));
  unembedRows(model, normalized.values().data(), P, logits.values().data());
  return logits;
}

}  // namespace

void measureLogitLens(const Transformer& model, const Trace& trace, int t, TensorSet& measurements) {
  if (!trace.contains("logits")) return;
  const int V = model.config().vocabulary;
  // Without weights the model can be asked nowhere but at its end.
  Tensor logits = model.hasWeights() ? logitsOfStops(model, trace, t) : Tensor({1, V});
  const int P = logits.view().extent[0];
  // What the model really says, interventions on its last steps included.
  const TensorView said = trace["logits"];
  for (int v = 0; v < V; ++v) logits(P - 1, v) = said(t, v);

  Tensor probabilities({P, V}), entropy({P});
  for (int place = 0; place < P; ++place) {
    const float* row = &logits(place, 0);
    float* p = &probabilities(place, 0);
    kernels().softmax(row, p, V);
    entropy(place) = entropyOf(row, p, V);
  }
  measurements.add(
      {"lens.next_token", "PV", "next token's probabilities, were the model to stop after each sublayer",
       "softmax(" + logitWords(model.config(), "x") + ")"},
      std::move(probabilities), [said, t, P](const Index& at) -> std::optional<Derivation> {
        if (at[0] != P - 1) return std::nullopt;  // what the model would say elsewhere is not kept
        return derivedProbability(said[t], at[1]);
      });
  measurements.add({"lens.next_token_entropy", "P", "how undecided that is, in nats", "H = −Σ p ln p"},
                   std::move(entropy));
}

}  // namespace glassformer
