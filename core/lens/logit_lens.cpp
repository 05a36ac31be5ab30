#include "core/lens/logit_lens.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/lens/equation_words.h"
#include "core/lens/residual_stream.h"
#include "core/lens/stopped_passes.h"
#include "core/model/read_out.h"
#include "core/tensor/aligned_vector.h"
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

// Rows of tapes, and those that they are made into, begin where a packet does: the order of sums along them,
// and so their bits, depend on that.
std::optional<LogitLens> logitLensOf(const Transformer& model, const Trace& trace, int t) {
  if (!trace.contains("logits")) return std::nullopt;
  const int V = model.config().vocabulary;
  // Without weights the model can be asked nowhere but at its end.
  const auto places = model.hasWeights() ? residualPlaces(model) : std::vector<ResidualPlace>(1);
  const int P = static_cast<int>(places.size()), stops = P - 1;
  std::optional<ReadOut> readOut;
  std::vector<const float*> rows;
  if (stops > 0) {
    readOut.emplace(model, stops, threadsFor(model.config(), stops));
    for (int place = 0; place < stops; ++place)
      readOut->put(place, trace[places[static_cast<std::size_t>(place)].passedOn][t]);
    const TensorView stopped = readOut->logits(stops);
    for (int place = 0; place < stops; ++place) rows.push_back(&stopped(place, 0));
  }
  // What the model really says, interventions on its last steps included.
  rows.push_back(trace["logits"][t].data);

  LogitLens lens{t, Tensor({P, V}), Tensor({P})};
  AlignedVector probabilities(static_cast<std::size_t>(V));
  for (int place = 0; place < P; ++place) {
    const float* row = rows[static_cast<std::size_t>(place)];
    kernels().softmax(row, probabilities.data(), V);
    std::ranges::copy(probabilities, &lens.probabilities(place, 0));
    lens.entropies(place) = entropyOf(row, probabilities.data(), V);
  }
  return lens;
}

void addLogitLens(const LogitLens& lens, const Transformer& model, const Trace& trace,
                  TensorSet& measurements) {
  const int t = lens.position, P = lens.entropies.view().extent[0];
  const TensorView said = trace["logits"];
  measurements.addAcross(
      {"lens.next_token", "PV", "next token's probabilities, were the model to stop after each sublayer",
       "softmax(" + logitWords(model.config(), "x") + ")"},
      lens.probabilities,
      [&model, &trace, t, P](const Index& at) -> OpenPasses {
        if (at[0] == P - 1) return nullptr;
        return [=, &model, &trace] { return stoppedAcross(model, trace, at[0], {t, at[1]}); };
      },
      [said, t, P](const Index& at) -> std::optional<Derivation> {
        if (at[0] != P - 1) return std::nullopt;
        return derivedProbability(said[t], at[1]);
      });
  measurements.addAcross(
      {"lens.next_token_entropy", "P", "entropy of that distribution, in nats", "H = −Σ p ln p"},
      lens.entropies, [&model, &trace, t](const Index& at) -> OpenPasses {
        return [=, &model, &trace] { return entropyAcross(model, trace, at[0], t); };
      });
}

void measureLogitLens(const Transformer& model, const Trace& trace, int t, TensorSet& measurements) {
  if (const auto lens = logitLensOf(model, trace, t)) addLogitLens(*lens, model, trace, measurements);
}

}  // namespace glassformer
