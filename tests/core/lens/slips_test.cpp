#include "core/lens/slips.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "tests/core/model/family_members.h"

using namespace glassformer;
using Catch::Approx;

namespace {

struct MeasuredSlip {
  explicit MeasuredSlip(const char* id, const ModelConfig& config = smallConfig(), HeadId head = {1, 2})
      : model(makeModel(config)), slip(slipCalled(id)), reason("") {
    LivePass live(model, 1);
    trace = live.run(tokens);
    reason = slip.whyNot(*model, *trace, head);
    measureSlip(slip, *model, *trace, head, set);
  }
  TensorView operator[](const char* part) const { return set[slipTensor(part, slip)]; }

  std::vector<int> tokens = randomTokens(7, 4);
  std::shared_ptr<const Transformer> model;
  const Slip& slip;
  std::string reason;
  std::shared_ptr<const Trace> trace;
  TensorSet set;
};

}  // namespace

TEST_CASE("without 1/√K a head's weights are those of a model that does not scale its scores") {
  const MeasuredSlip measured("scale", smallConfig(), {0, 2});
  ModelConfig unscaled = smallConfig();
  unscaled.scaledScores = false;
  LivePass live(makeModel(unscaled), 1);
  const auto trace = live.run(measured.tokens);
  const TensorView printed = measured[slip::printed], theirs = (*trace)["blocks.0.attn.hook_pattern"][2],
                   right = measured[slip::right], ours = (*measured.trace)["blocks.0.attn.hook_pattern"][2];
  float largest = 0;
  for (int t = 0; t < 7; ++t)
    for (int s = 0; s < 7; ++s) {
      CHECK(printed(t, s) == Approx(theirs(t, s)).margin(2e-6));
      CHECK(right(t, s) == ours(t, s));
      CHECK(measured[slip::difference](t, s) == printed(t, s) - right(t, s));
      largest = std::max(largest, std::abs(printed(t, s) - right(t, s)));
    }
  CHECK(largest > 1e-3f);
  CHECK(measured[slip::largest](0) == largest);
}

TEST_CASE("a norm as printed is what its formula says of the same stream") {
  for (const char* id : {"root", "sum"}) {
    const MeasuredSlip measured(id);
    const TensorView x = (*measured.trace)["blocks.1.hook_resid_pre"],
                     n = (*measured.trace)["blocks.1.ln1.hook_normalized"],
                     gamma = measured.model->parameters()["h.1.ln_1.weight"];
    const int D = x.extent[1];
    for (int t = 0; t < 7; ++t) {
      double sum = 0, squares = 0;
      for (int d = 0; d < D; ++d) sum += static_cast<double>(x(t, d));
      const bool isRoot = id == std::string("root");
      const double mu = isRoot ? sum / D : sum;
      for (int d = 0; d < D; ++d) squares += std::pow(static_cast<double>(x(t, d)) - mu, 2);
      const double sigma = std::sqrt(squares / D), epsilon = 1e-5,
                   divisor = isRoot ? std::sqrt(sigma + epsilon) : std::sqrt(sigma * sigma + epsilon);
      for (int d = 0; d < D; ++d) {
        CHECK(measured[slip::right](t, d) == n(t, d));
        CHECK(measured[slip::printed](t, d) ==
              Approx(static_cast<double>(gamma(d)) * (static_cast<double>(x(t, d)) - mu) / divisor)
                  .margin(1e-4));
      }
    }
    CHECK(measured[slip::largest](0) > 0.01f);
  }
}

TEST_CASE("of a product that does not conform its matrices are there, and what is meant") {
  const MeasuredSlip order("order");
  const TensorView v = order[slip::left], a = order[slip::other], z = order[slip::right];
  CHECK(v.extent[1] != a.extent[0]);  // K and T
  for (int t = 0; t < 7; ++t)
    for (int k = 0; k < v.extent[1]; ++k) {
      double sum = 0;
      for (int s = 0; s < 7; ++s) sum += static_cast<double>(a(t, s)) * static_cast<double>(v(s, k));
      CHECK(z(t, k) == Approx(sum).margin(1e-5));
    }
  CHECK_FALSE(order.set.contains(slipTensor(slip::printed, order.slip)));

  ModelConfig shared = smallConfig();
  shared.keyValueHeads = 2;
  for (const ModelConfig& config : {smallConfig(), shared}) {
    const MeasuredSlip readout("readout", config);
    const TensorView o = readout[slip::left], u = readout[slip::other], map = readout[slip::right];
    const int D = config.width, K = config.headWidth();
    CHECK((o.extent[0] == D && o.extent[1] == K && u.extent[0] == D && u.extent[1] == K));
    // What the head adds for a token that it looks at alone: x · W_V · W_O, without biases.
    const TensorView in = readout.model->parameters()["h.1.attn.c_attn.weight"],
                     out = readout.model->parameters()["h.1.attn.c_proj.weight"];
    const int values = in.extent[1] - config.valueHeads() * K + 2 * config.valueHeads() / config.heads * K;
    for (const int i : {0, 5, 31})
      for (const int j : {1, 30}) {
        double sum = 0;
        for (int k = 0; k < K; ++k)
          sum += static_cast<double>(in(j, values + k)) * static_cast<double>(out(2 * K + k, i));
        CHECK(map(i, j) == Approx(sum).margin(1e-5));
      }
  }
}

TEST_CASE("every member of the family shows a slip, or says why it cannot") {
  forEachMember([](const ModelConfig& config) {
    LivePass live(makeModel(config), 1);
    const auto source = config.isEncoderDecoder() ? randomTokens(5, 6) : std::vector<int>{};
    const auto trace = live.run(randomTokens(7, 4), {}, source);
    const HeadId head{1, 2, config.isEncoderDecoder() ? AttentionSite::Cross : AttentionSite::Self};
    for (const Slip& slip : slips()) {
      TensorSet set;
      measureSlip(slip, live.model(), *trace, head, set);
      INFO(slip.id);
      CHECK(set.contains(slipTensor(slip::right, slip)) == slip.whyNot(live.model(), *trace, head).empty());
      const std::string printed = slipTensor(slip::printed, slip);
      if (!set.contains(printed)) continue;
      for (const float x : set[printed].copy()) REQUIRE(std::isfinite(x));
    }
  });
  ModelConfig none = smallConfig();
  none.normPlacement = NormPlacement::None;
  CHECK(MeasuredSlip("root", none).reason == "this model has no layer norm");
  none.scaledScores = false;
  CHECK(MeasuredSlip("scale", none).reason == "this model's scores are not divided by √K");
}
