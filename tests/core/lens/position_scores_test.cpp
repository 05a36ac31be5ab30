#include "core/lens/position_scores.h"

#include <catch2/catch_approx.hpp>
#include <cmath>

#include "core/lens/positions.h"
#include "core/lens/scores.h"
#include "core/model/live_pass.h"
#include "tests/core/model/reference.h"

using namespace glassformer;
using Catch::Approx;

namespace {

const std::vector<int> someTokens{3, 1, 4, 1, 5, 9};

std::shared_ptr<const Transformer> modelWith(void (*change)(Parameters&)) {
  const Reference reference("transformer_gelu.safetensors");
  Parameters parameters = reference.weights();
  change(parameters);
  return std::make_shared<const Transformer>(reference.config(), std::move(parameters));
}

void clear(Parameters& parameters, const std::string& name) {
  const int i = parameters.find(name);
  REQUIRE(i >= 0);
  const auto begin = parameters.values().begin() + static_cast<std::ptrdiff_t>(parameters.offset(i));
  std::fill(begin, begin + parameters.view(i).size(), 0.0f);
}

// n_p[t] · W of one column, term by term.
double projectedSlowly(const Transformer& model, const Trace& trace, int layer, int t, int column) {
  const int D = model.config().width;
  const std::string block = "blocks." + std::to_string(layer) + ".",
                    weights = "h." + std::to_string(layer) + ".";
  const TensorView p = trace["hook_pos_embed"], sigma = trace[block + "ln1.hook_scale"];
  double mean = 0, sum = 0;
  for (int d = 0; d < D; ++d) mean += static_cast<double>(p(t, d)) / D;
  for (int d = 0; d < D; ++d)
    sum += model.parameters()[weights + "ln_1.weight"](d) * (p(t, d) - mean) / sigma(t, 0) *
           model.parameters()[weights + "attn.c_attn.weight"](d, column);
  return sum;
}

}  // namespace

TEST_CASE("scores of positions alone are the products of their normalized encodings") {
  const auto model = modelWith([](Parameters&) {});
  const auto trace = LivePass(model).run(someTokens);
  const int K = model->config().headWidth(), D = model->config().width;
  for (const HeadId head : {HeadId{0, 1}, HeadId{1, 0}}) {
    TensorSet set;
    measurePositionScores(*model, *trace, head, set);
    const Tensor ofLayer = unmaskedScores(*model, *trace, head.layer, head.site);
    const TensorView all = ofLayer.view()[head.head];
    for (int t = 0; t < 6; ++t)
      for (int s = 0; s < 6; ++s) {
        double score = 0;
        for (int k = 0; k < K; ++k)
          score += projectedSlowly(*model, *trace, head.layer, t, head.head * K + k) *
                   projectedSlowly(*model, *trace, head.layer, s, D + head.head * K + k) / std::sqrt(K);
        CHECK(set[positionScoresOf(head)](t, s) == Approx(score).epsilon(1e-3).margin(1e-5));
        CHECK(set[positionScoresOf(head)](t, s) + set[otherScoresOf(head)](t, s) ==
              Approx(all(t, s)).epsilon(1e-4).margin(1e-5));
      }
  }
}

TEST_CASE("in block 0 of a model without embeddings and biases positions make all of the scores") {
  const auto model = modelWith([](Parameters& parameters) {
    clear(parameters, "wte.weight");
    clear(parameters, "h.0.ln_1.bias");
    clear(parameters, "h.0.attn.c_attn.bias");
  });
  const auto trace = LivePass(model).run(someTokens);
  TensorSet set;
  measurePositionScores(*model, *trace, {0, 0}, set);
  const Tensor ofLayer = unmaskedScores(*model, *trace, 0, AttentionSite::Self);
  const TensorView all = ofLayer.view()[0];
  for (int t = 0; t < 6; ++t)
    for (int s = 0; s < 6; ++s) {
      CHECK(set["lens.position_scores.L0H0"](t, s) == Approx(all(t, s)).epsilon(1e-4).margin(1e-5));
      CHECK(set["lens.other_scores.L0H0"](t, s) == Approx(0).margin(1e-4));
    }
}

TEST_CASE("positions that are all the same distance apart: the sinusoids' difference keeps its length") {
  const auto model = modelWith([](Parameters&) {});
  TensorSet set;
  measurePositions(*model, set);
  measureSinusoids(model->config(), 10000, set);
  measurePositionDifferences(set, 3, set);
  const TensorView p = set["positions.model"], difference = set["positions.model_difference.3"],
                   norm = set["positions.model_difference_norm.3"];
  REQUIRE(difference.extent[0] == 9);
  double square = 0;
  for (int d = 0; d < 16; ++d) {
    CHECK(difference(4, d) == p(7, d) - p(4, d));
    square += std::pow(p(7, d) - p(4, d), 2);
  }
  CHECK(norm(4) == Approx(std::sqrt(square)));
  // ‖p(t + Δ) − p(t)‖² = Σ_i 2 − 2 cos(Δ ω_i), whatever t is.
  double expected = 0;
  for (int i = 0; i < 8; ++i) expected += 2 - 2 * std::cos(3 / std::pow(10000.0, i / 8.0));
  for (int t = 0; t < 9; ++t)
    CHECK(set["positions.sinusoidal_difference_norm.3"](t) == Approx(std::sqrt(expected)).epsilon(1e-4));
}

TEST_CASE("dot products of positions are worked out term by term") {
  const auto model = modelWith([](Parameters&) {});
  TensorSet set;
  measurePositions(*model, set);
  measureSinusoids(model->config(), 10000, set);
  const TensorView p = set["positions.model"];
  double dot = 0, tt = 0, uu = 0;
  for (int d = 0; d < 16; ++d)
    dot += static_cast<double>(p(2, d)) * p(9, d), tt += p(2, d) * p(2, d), uu += p(9, d) * p(9, d);
  CHECK(set["positions.model_dot"](2, 9) == Approx(dot).epsilon(1e-4));
  CHECK(set["positions.model_similarity"](2, 9) == Approx(dot / std::sqrt(tt * uu)).epsilon(1e-4));
  CHECK(set["positions.sinusoidal_dot"](5, 5) == Approx(8).epsilon(1e-5));  // sin² + cos² of eight pairs
}
