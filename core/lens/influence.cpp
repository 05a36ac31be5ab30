#include "core/lens/influence.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "core/lens/by_distance.h"
#include "core/lens/chain_rule.h"
#include "core/lens/contributions.h"
#include "core/lens/gradient_pass.h"
#include "core/model/intervention_step.h"
#include "core/model/point_names.h"
#include "core/tensor/kernels.h"
#include "core/trace/derived.h"

namespace glassformer {
namespace {

// A trace's pass, differentiated by the embeddings of the text, and of the source beside it.
class InfluencePass {
 public:
  InfluencePass(const Transformer& model, const Trace& trace, const Interventions& interventions)
      : config_(model.config()), pass_(model, trace, interventions, embeddings()) {}

  void run(Prediction of) { pass_.run({of}); }
  std::vector<Stream> streams() const {
    return config_.isEncoderDecoder() ? std::vector{Stream::Text, Stream::Source} : std::vector{Stream::Text};
  }
  int count(Stream stream) const { return pass_.count(stream); }
  /// Of the last run, [S, D].
  TensorView gradients(Stream stream) const { return pass_.gradient(embedding(stream)); }
  double norm(Stream stream, int s) const {
    return std::sqrt(kernels().sumOfSquares(&gradients(stream)(s, 0), config_.width));
  }
  double byInput(Stream stream, int s) const {
    const TensorView x = pass_.value(embedding(stream));
    return std::inner_product(&x(s, 0), &x(s, 0) + config_.width, &gradients(stream)(s, 0), 0.0,
                              std::plus<>(), [](float a, float b) { return static_cast<double>(a) * b; });
  }

  std::string embedding(Stream stream) const { return stackPoint(config_, "hook_embed", stream); }

 private:
  std::vector<std::string> embeddings() const {
    std::vector<std::string> points;
    for (const Stream stream : streams()) points.push_back(embedding(stream));
    return points;
  }

  const ModelConfig& config_;
  GradientPass pass_;
};

// "lens.influence", "lens.source_influence": what is looked at is of this stream.
TracePoint describe(Stream stream, const std::string& name, const std::string& letters,
                    const std::string& meaning, const std::string& equation) {
  return {(stream == Stream::Source ? "lens.source_" : "lens.") + name,
          letters,
          meaning,
          equation,
          Stream::Text,
          stream};
}

constexpr const char *sensitivity = "norm of the derivative of the logit by each token's embedding",
                     *growth = "derivative of the logit along each token's embedding",
                     *normEquation = "‖∂logit[t, v] / ∂x_s‖", *inputEquation = "x_s · ∂logit[t, v] / ∂x_s";

void addRows(const InfluencePass& pass, const BackwardPass& backward, const TensorView& x, Stream stream,
             TensorSet& measurements) {
  const int S = pass.count(stream);
  Tensor norms({S}), byInput({S});
  for (int s = 0; s < S; ++s) {
    norms(s) = static_cast<float>(pass.norm(stream, s));
    byInput(s) = static_cast<float>(pass.byInput(stream, s));
  }
  const TensorView gradients = pass.gradients(stream);
  measurements.addAcross(
      describe(stream, "embedding_gradient", "SD",
               "derivative of the logit by each number of each token's embedding",
               "g_s = ∂logit[t, v] / ∂x_s"),
      Tensor({S, gradients.extent[1]}, gradients.copy()),
      [backward, point = pass.embedding(stream)](const Index& at) { return backward.number(point, at); });
  const TensorView g = measurements[describe(stream, "embedding_gradient", "", "", "").name];
  measurements.add(describe(stream, "influence", "S", sensitivity, normEquation), std::move(norms),
                   [g](const Index& at) { return derivedLength(g[at[0]]); });
  measurements.add(describe(stream, "influence_by_input", "S", growth, inputEquation), std::move(byInput),
                   [g, x](const Index& at) { return derivedDot(x[at[0]], g[at[0]]); });
}

struct Matrices {
  Matrices(int T, int S) : norms({T, S}), byInput({T, S}) {}
  Tensor norms, byInput;
};

void addByDistance(bool ahead, TensorSet& measurements) {
  const TensorView norms = measurements["lens.influence_matrix"];
  measurements.add({"lens.influence_by_distance", "X",
                    "mean norm of the derivative of the top logit by the token at that distance before",
                    "mean of ‖∂logit[t, v] / ∂x_s‖ over t − s = distance"},
                   meanByDistance(norms, -1, mostInfluenceRows), atDistance(norms, -1));
  if (!ahead) return;
  measurements.add({"lens.influence_by_distance_ahead", "X",
                    "mean norm of the derivative of the top logit by the token at that distance after",
                    "mean of ‖∂logit[t, v] / ∂x_s‖ over s − t = distance"},
                   meanByDistance(norms, 1, mostInfluenceRows), atDistance(norms, 1));
}

}  // namespace

void measureInfluence(const Transformer& model, const Trace& trace, const Interventions& interventions,
                      Prediction prediction, TensorSet& measurements) {
  InfluencePass pass(model, trace, interventions);
  pass.run(prediction);
  const auto backward = BackwardPass::of(model, trace, interventions, {{prediction, -1}, {}});
  for (const Stream stream : pass.streams())
    addRows(pass, backward, trace[pass.embedding(stream)], stream, measurements);
}

void measureInfluenceMatrix(const Transformer& model, const Trace& trace, const Interventions& interventions,
                            TensorSet& measurements, const ProgressCallback& watch) {
  const int T = trace.tokenCount();
  if (T > mostInfluenceRows) return;
  InfluencePass pass(model, trace, interventions);
  Tensor entries({T});
  std::vector<Matrices> matrices;
  for (const Stream stream : pass.streams()) matrices.emplace_back(T, pass.count(stream));
  for (int t = 0; t < T; ++t) {
    if (!watch(t, T)) return;
    const int entry = likeliestEntry(trace, t);
    entries(t) = static_cast<float>(entry);
    pass.run({t, entry});
    for (const Stream stream : pass.streams())
      for (int s = 0; s < pass.count(stream); ++s) {
        Matrices& m = matrices[static_cast<std::size_t>(stream)];
        m.norms(t, s) = static_cast<float>(pass.norm(stream, s));
        m.byInput(t, s) = static_cast<float>(pass.byInput(stream, s));
      }
  }
  watch(T, T);
  measurements.add(
      {"lens.influenced_token", "T", "top token, whose logit is explained", "v = argmax of the logits"},
      std::move(entries));
  const bool ahead = model.config().mask.looksAhead() || mayLookAhead(interventions);
  for (const Stream stream : pass.streams()) {
    Matrices& m = matrices[static_cast<std::size_t>(stream)];
    const auto backwardFrom = [read = BackwardPass::of(model, trace, interventions, {}),
                               likeliest = measurements["lens.influenced_token"]](int t) {
      BackwardPass pass = read;
      pass.from.answer.prediction = {t, static_cast<int>(likeliest(t))};
      return pass;
    };
    const std::string point = pass.embedding(stream);
    measurements.addAcross(
        describe(stream, "influence_matrix", "TS", sensitivity, normEquation), std::move(m.norms),
        [=](const Index& at) {
          return backwardFrom(at[0]).opened([point, s = at[1]](const Trace&, const TensorSet& gradients) {
            return derivedLength(gradients[gradientName(point)][s]);
          });
        });
    measurements.addAcross(describe(stream, "influence_by_input_matrix", "TS", growth, inputEquation),
                           std::move(m.byInput), [=](const Index& at) {
                             return backwardFrom(at[0]).opened(
                                 [point, s = at[1]](const Trace& pass, const TensorSet& gradients) {
                                   return derivedDot(pass[point][s], gradients[gradientName(point)][s]);
                                 });
                           });
  }
  addByDistance(ahead, measurements);
}

}  // namespace glassformer
