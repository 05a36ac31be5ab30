// The lenses against what their definitions say, worked out the slow way on a small model.
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <vector>

#include "core/lens/head_scores.h"
#include "core/lens/logit_lens.h"
#include "core/lens/positions.h"
#include "core/lens/residual_stream.h"
#include "core/lens/scores.h"
#include "core/lens/token_probability.h"
#include "core/model/initialization.h"
#include "core/model/live_pass.h"

using namespace glassformer;
using Catch::Approx;

namespace {

struct LensFixture {
  ModelConfig config{
      .layers = 2, .heads = 2, .width = 16, .feedForward = 32, .vocabulary = 30, .context = 16};
  std::shared_ptr<const Transformer> model;
  std::shared_ptr<const Trace> trace;

  LensFixture() {
    Parameters parameters(parameterSpecs(config));
    initialize(config, parameters, {}, 5);
    model = std::make_shared<const Transformer>(config, std::move(parameters));
    trace = LivePass(model).run(std::vector{3, 1, 4, 1, 5, 9});
  }
};

}  // namespace

TEST_CASE("residual norms are the lengths of the residual stream's rows") {
  const LensFixture f;
  TensorSet set;
  measureResidualStream(*f.model, *f.trace, set);
  const TensorView norms = set["lens.residual_norm"], x = (*f.trace)["blocks.1.hook_resid_mid"];
  REQUIRE(norms.extent[0] == 5);
  double sum = 0;
  for (int d = 0; d < 16; ++d) sum += static_cast<double>(x(4, d)) * x(4, d);
  CHECK(norms(3, 4) == Approx(std::sqrt(sum)));
  // What is added to it, beside it: of the MLP beside what attention has left.
  double added = 0;
  const TensorView m = (*f.trace)["blocks.1.hook_mlp_out"];
  for (int d = 0; d < 16; ++d) added += static_cast<double>(m(4, d)) * m(4, d);
  CHECK(set["lens.mlp_norm"](1, 4) == Approx(std::sqrt(added)));
  CHECK(set["lens.mlp_share"](1, 4) == Approx(std::sqrt(added / sum)));
  CHECK(residualPlaces(*f.model)[3].label == "1 attn");
  CHECK(residualPlaces(*f.model)[4].point == "blocks.1.hook_resid_post");
}

TEST_CASE("the logit lens ends with what the model says, with its entropy") {
  const LensFixture f;
  TensorSet set;
  measureLogitLens(*f.model, *f.trace, 2, set);
  const TensorView p = set["lens.next_token"], h = set["lens.next_token_entropy"],
                   logits = (*f.trace)["logits"];
  double z = 0;
  for (int v = 0; v < 30; ++v) z += std::exp(static_cast<double>(logits(2, v)));
  for (int v = 0; v < 30; ++v)
    CHECK(p(4, v) == Approx(std::exp(static_cast<double>(logits(2, v))) / z).epsilon(1e-4));
  for (int place = 0; place < 5; ++place) {
    double entropy = 0, sum = 0;
    for (int v = 0; v < 30; ++v) {
      entropy -= p(place, v) * std::log(static_cast<double>(p(place, v)));
      sum += p(place, v);
    }
    CHECK(sum == Approx(1).epsilon(1e-5));
    CHECK(h(place) == Approx(entropy).epsilon(1e-4));
  }
}

TEST_CASE("the logit lens is the same to the bit, wherever its numbers lie") {
  const LensFixture f;
  const auto first = logitLensOf(*f.model, *f.trace, 2);
  REQUIRE(first);
  CHECK(first->position == 2);
  std::vector<std::vector<char>> between;  // so that what is measured next lies elsewhere
  for (std::size_t i = 0; i < 16; ++i) {
    between.emplace_back(600 + 16 * i);
    const auto again = logitLensOf(*f.model, *f.trace, 2);
    CHECK(again->probabilities.values() == first->probabilities.values());
    CHECK(again->entropies.values() == first->entropies.values());
  }
  TensorSet measured, added;
  measureLogitLens(*f.model, *f.trace, 2, measured);
  addLogitLens(*first, *f.model, *f.trace, added);
  REQUIRE(added.count() == measured.count());
  for (int i = 0; i < added.count(); ++i) {
    CHECK(added.point(i).name == measured.point(i).name);
    CHECK(added.tensor(i).copy() == measured.tensor(i).copy());
  }
}

TEST_CASE("scores before the mask agree with the trace wherever nothing is masked") {
  const LensFixture f;
  const Tensor all = unmaskedScores(*f.model, *f.trace, 1, AttentionSite::Self);
  const TensorView scores = all.view()[0];
  const TensorView masked = (*f.trace)["blocks.1.attn.hook_attn_scores"];
  for (int t = 0; t < 6; ++t)
    for (int s = 0; s < 6; ++s) {
      if (s <= t)
        CHECK(scores(t, s) == masked(0, t, s));
      else
        CHECK((std::isfinite(scores(t, s)) && std::isinf(masked(0, t, s))));
    }
}

TEST_CASE("position similarities are cosines; sinusoids depend on the distance only") {
  const LensFixture f;
  TensorSet set;
  measurePositions(*f.model, set);
  measureSinusoids(f.config, 10000, set);
  const TensorView sinusoidal = set["positions.sinusoidal_similarity"],
                   own = set["positions.model_similarity"];
  for (int t = 0; t < 16; ++t) CHECK(own(t, t) == Approx(1).epsilon(1e-5));
  for (int t = 0; t + 3 < 16; ++t) CHECK(sinusoidal(t, t + 3) == Approx(sinusoidal(0, 3)).epsilon(1e-4));
}

TEST_CASE("of a long context the first positions are compared, as many as there is room for") {
  ModelConfig config{
      .layers = 1, .heads = 1, .width = 4, .feedForward = 4, .vocabulary = 5, .context = 200000};
  Parameters parameters(parameterSpecs(config));
  initialize(config, parameters, {}, 1);
  const Transformer model(config, std::move(parameters));
  TensorSet set;
  measurePositions(model, set);
  measureSinusoids(config, 100, set);
  CHECK(measuredPositions(config) == 1024);
  for (const char* name : {"positions.model", "positions.sinusoidal"}) {
    CHECK(set[name].extent[0] == 1024);
    CHECK(set[std::string(name) + "_similarity"].extent[1] == 1024);
  }
  CHECK(set["positions.model"](1023, 3) == (*model.positionTable())(1023, 3));
  // The base sets the speed: pair 1 of two takes √100 positions for a radian.
  CHECK(set["positions.sinusoidal"](20, 2) == Approx(std::sin(20 / 10.0)).epsilon(1e-6));
}

TEST_CASE("head scores are read off the patterns") {
  const LensFixture f;
  const Tensor previous = previousTokenScores(*f.trace, f.config),
               to = attentionTo(*f.trace, f.config, 5, std::vector{0, 2});
  const Tensor induction = inductionScores(*f.trace, f.config, 4, 2);
  const TensorView a = (*f.trace)["blocks.1.attn.hook_pattern"];
  CHECK(previous(1, 1) ==
        Approx((a(1, 1, 0) + a(1, 2, 1) + a(1, 3, 2) + a(1, 4, 3) + a(1, 5, 4)) / 5).epsilon(1e-4));
  CHECK(to(1, 0) == Approx(a(0, 5, 0) + a(0, 5, 2)).epsilon(1e-4));
  CHECK(induction(1, 1) == Approx((a(1, 4, 3) + a(1, 5, 4)) / 2).epsilon(1e-4));
}

TEST_CASE("a token's probability is the softmax of the logits before it, and the first one has none") {
  const LensFixture f;
  TensorSet set;
  measureTokenProbability(*f.trace, set);
  const TensorView p = set["lens.token_probability"], logits = (*f.trace)["logits"];
  REQUIRE(p.extent[0] == 6);
  CHECK(std::isnan(p(0)));
  for (int t = 1; t < 6; ++t) {
    double z = 0;
    for (int v = 0; v < 30; ++v) z += std::exp(static_cast<double>(logits(t - 1, v)));
    const int token = f.trace->tokens()[static_cast<std::size_t>(t)];
    CHECK(p(t) == Approx(std::exp(static_cast<double>(logits(t - 1, token))) / z).epsilon(1e-4));
  }
}
