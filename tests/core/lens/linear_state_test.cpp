#include "core/lens/linear_state.h"

#include <catch2/catch_approx.hpp>
#include <cmath>

#include "core/lens/attention_stages.h"
#include "tests/core/model/family_members.h"

using namespace glassformer;
using Catch::Approx;

namespace {

ModelConfig linearConfig() {
  ModelConfig config = smallConfig();
  config.kernel = AttentionKernel::Linear;
  return config;
}

struct Running {
  explicit Running(const ModelConfig& given, HeadId of = {1, 2}) : config(given), head(of) {
    trace = traceOf(config, randomTokens(12, 1), randomTokens(config.isEncoderDecoder() ? 5 : 0, 2));
    REQUIRE(whyNoLinearState(config, head.site).empty());
    measureLinearState(config, *trace, head, set);
  }
  TensorView operator[](const char* tensor) const { return set[stageTensor(tensor, head)]; }
  TensorView traced(const char* point) const {
    return headRows((*trace)[attentionPoint(head.layer, head.site, point)], head.head, config.heads);
  }

  ModelConfig config;
  HeadId head;
  std::shared_ptr<const Trace> trace;
  TensorSet set;
};

double phi(double x) { return x > 0 ? x + 1 : std::exp(x); }

}  // namespace

TEST_CASE("a head's running state gives what the pass computes with its whole pattern") {
  ModelConfig shared = linearConfig(), rotary = linearConfig(), reading = linearConfig();
  shared.keyValueHeads = 2;
  REQUIRE(setField(rotary, "position_embedding_type", "rotary"));
  reading.stack = Stack::EncoderDecoder;
  for (const Running& of : {Running(linearConfig()), Running(shared), Running(rotary, {0, 3}),
                            Running(reading, {1, 1, AttentionSite::Decoder})}) {
    const TensorView z = of.traced("hook_z"), out = of[linearState::out], error = of[linearState::error];
    float largest = 0;
    z.forEach([&](const auto& at, float value) {
      CHECK(out(at[0], at[1]) == Approx(value).margin(2e-6));
      largest = std::max(largest, std::abs(value));
    });
    CHECK(largest > 1e-3);
    for (int t = 0; t < 12; ++t) CHECK(error(t) < 2e-6f);
  }
}

TEST_CASE("what all heads read out of their states, token after token, is what the pass computes") {
  const Running of(linearConfig());
  const int T = 12, H = of.config.heads, D = of.config.width;
  Tape tape(1, T);
  const auto table = [&](const char* point, bool isFeature) {
    const Value rows = tape.rows(D);
    const TensorView traced = (*of.trace)[attentionPoint(1, of.head.site, point)];  // [T, H, K]
    traced.forEach([&](const auto& at, float x) {
      rows.data[at[0] * rows.stride + at[1] * (D / H) + at[2]] =
          isFeature ? static_cast<float>(phi(static_cast<double>(x))) : x;
    });
    return rows;
  };
  const Value q = table("hook_q", true), k = table("hook_k", true), v = table("hook_v", false);
  const Value out = readOutOfState(tape, q, k, v, H);
  tape.setPositions(T);
  for (int run = 0; run < 2; ++run) {  // each begins anew
    tape.forward();
    (*of.trace)[attentionPoint(1, of.head.site, "hook_z")].forEach([&](const auto& at, float z) {
      CHECK(out.data[at[0] * out.stride + at[1] * (D / H) + at[2]] == Approx(z).margin(2e-6));
    });
  }
  const double K = D / H;
  CHECK(tape.multiplyAdds(Operation::Domain::Time) == T * H * (2 * K * K + K));
}

TEST_CASE("the state after a token is the sum of φ(k) vᵀ over all tokens so far") {
  const Running of(linearConfig());
  const TensorView k = of.traced("hook_k"), v = of.traced("hook_v"), S = of[linearState::state],
                   sum = of[linearState::sum], size = of[linearState::size];
  for (int t = 0; t < 12; ++t) {
    double square = 0;
    for (int i = 0; i < S.extent[1]; ++i) {
      double features = 0;
      for (int s = 0; s <= t; ++s) features += phi(k(s, i));
      CHECK(sum(t, i) == Approx(features));
      for (int j = 0; j < S.extent[2]; ++j) {
        double state = 0;
        for (int s = 0; s <= t; ++s) state += phi(k(s, i)) * v(s, j);
        CHECK(S(t, i, j) == Approx(state).margin(1e-6));
        square += state * state;
      }
    }
    CHECK(size(t) == Approx(std::sqrt(square)));
    if (t > 0) CHECK(sum(t, 0) > sum(t - 1, 0));
  }
}

TEST_CASE("every number of the state says what made it") {
  const Running of(linearConfig());
  int derived = 0;
  for (int i = 0; i < of.set.count(); ++i)
    of.set.tensor(i).forEach([&](const std::array<int, maxRank>& at, float value) {
      const auto derivation = of.set.derive(of.set.point(i).name, at);
      if (!derivation) return;
      CHECK(derivation->value() == Approx(value).epsilon(1e-5).margin(1e-6));
      ++derived;
    });
  CHECK(derived > 12 * 64);
}

TEST_CASE("a changed pattern is no longer what the state gives") {
  const ModelConfig config = linearConfig();
  LivePass live(makeModel(config), 1);
  const auto trace = live.run(
      randomTokens(12, 1), {{"blocks.1.attn.hook_pattern", InterventionKind::Scale, {2, 5, -1, -1}, 2, {}}});
  TensorSet set;
  measureLinearState(config, *trace, {1, 2}, set);
  const TensorView error = set[stageTensor(linearState::error, {1, 2})];
  for (int t = 0; t < 12; ++t) CHECK((error(t) > 1e-4f) == (t == 5));
}

TEST_CASE("only linear attention under the causal mask has a running state") {
  CHECK_FALSE(whyNoLinearState(smallConfig(), AttentionSite::Self).empty());
  CHECK(whyNoLinearState(linearConfig(), AttentionSite::Self).empty());
  for (const AttentionSite site : {AttentionSite::Encoder, AttentionSite::Cross})
    CHECK_FALSE(whyNoLinearState(linearConfig(), site).empty());
  ModelConfig open = linearConfig(), painted = linearConfig(), recurrent = linearConfig();
  open.mask.kind = MaskKind::None, painted.mask.painted.paint({3, 1, false});
  recurrent.mixing = Mixing::Recurrence;
  for (const ModelConfig& config : {open, painted, recurrent})
    CHECK_FALSE(whyNoLinearState(config, AttentionSite::Self).empty());
}
