#include "core/lens/logit_lens.h"

#include <algorithm>
#include <cmath>

#include "core/lens/equation_words.h"
#include "core/lens/residual_stream.h"
#include "core/lens/stopped_passes.h"
#include "core/model/read_out.h"
#include "core/tensor/kernels.h"
#include "core/trace/derived.h"

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

// Another thread takes longer to start than logits of a small model to compute.
int threadsFor(const ModelConfig& config, int rows) {
  constexpr double worthwhile = 2e7;
  return static_cast<double>(rows) * config.width * config.vocabulary > worthwhile ? 2 : 1;
}

}  // namespace

void measureLogitLens(const Transformer& model, const Trace& trace, int t, TensorSet& measurements) {
  if (!trace.contains("logits")) return;
  const int V = model.config().vocabulary;
  // Without weights the model can be asked nowhere but at its end.
  const auto places = model.hasWeights() ? residualPlaces(model) : std::vector<ResidualPlace>(1);
  const int P = static_cast<int>(places.size());
  Tensor logits({P, V});
  if (const int stops = P - 1; stops > 0) {
    ReadOut readOut(model, stops, threadsFor(model.config(), stops));
    for (int place = 0; place < stops; ++place)
      readOut.put(place, trace[places[static_cast<std::size_t>(place)].passedOn][t]);
    const TensorView stopped = readOut.logits(stops);
    for (int place = 0; place < stops; ++place) std::copy_n(&stopped(place, 0), V, &logits(place, 0));
  }
  // What the model really says, interventions on its last steps included.
  const TensorView said = trace["logits"];
  std::copy_n(&said(t, 0), V, &logits(P - 1, 0));

  Tensor probabilities({P, V}), entropy({P});
  for (int place = 0; place < P; ++place) {
    const float* row = &logits(place, 0);
    float* p = &probabilities(place, 0);
    kernels().softmax(row, p, V);
    entropy(place) = entropyOf(row, p, V);
  }
  measurements.addAcross(
      {"lens.next_token", "PV", "next token's probabilities, were the model to stop after each sublayer",
       "softmax(" + logitWords(model.config(), "x") + ")"},
      std::move(probabilities),
      [&model, &trace, t, P](const Index& at) -> OpenPasses {
        if (at[0] == P - 1) return nullptr;
        return [=, &model, &trace] { return stoppedAcross(model, trace, at[0], {t, at[1]}); };
      },
      [said, t, P](const Index& at) -> std::optional<Derivation> {
        if (at[0] != P - 1) return std::nullopt;
        return derivedProbability(said[t], at[1]);
      });
  measurements.addAcross({"lens.next_token_entropy", "P", "how undecided that is, in nats", "H = −Σ p ln p"},
                         std::move(entropy), [&model, &trace, t](const Index& at) -> OpenPasses {
                           return [=, &model, &trace] { return entropyAcross(model, trace, at[0], t); };
                         });
}

}  // namespace glassformer
