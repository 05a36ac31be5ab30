#include "core/lens/metric.h"

#include <catch2/catch_approx.hpp>
#include <cmath>

#include "core/lens/ablation.h"
#include "core/lens/across_changes.h"
#include "core/lens/token_losses.h"
#include "tests/core/lens/reference_pass.h"

using namespace glassformer;
using Catch::Approx;
using As = AnswerMetric::As;

namespace {

const AnswerMetric allAnswers[] = {{{6, 3}},
                                   {{6, 3}, 5},
                                   {{6, 3}, -1, As::CentredLogit},
                                   {{6, 3}, -1, As::LogProbability},
                                   {{6, 3}, -1, As::Probability}};

const Interventions headOff{{.point = "blocks.0.attn.hook_z", .index = {-1, 1, -1, -1}}};

}  // namespace

TEST_CASE("an answer's numbers are those of a softmax worked out by hand") {
  // e¹ : e² : e⁴ of z = 1 2 4, so that p = 0.0420 0.1142 0.8438.
  const float z[] = {1, 2, 4};
  CHECK(valueOf({{0, 2}}, z) == 4);
  CHECK(valueOf({{0, 2}, 0}, z) == 3);
  CHECK(valueOf({{0, 2}, -1, As::CentredLogit}, z) == Approx(5.0 / 3));
  CHECK(valueOf({{0, 2}, -1, As::Probability}, z) == Approx(0.8438).margin(5e-5));
  CHECK(valueOf({{0, 1}, -1, As::LogProbability}, z) == Approx(std::log(0.1142)).margin(5e-4));
}

TEST_CASE("slopes are what an answer changes by as single logits do") {
  const std::vector<float> z{0.5f, -1, 2, 0.25f, 1.5f, -0.75f};
  for (const AnswerMetric& metric : allAnswers) {
    AnswerMetric here = metric;
    here.prediction.position = 0;
    const std::vector<float> slopes = slopesOf(here, z);
    for (std::size_t v = 0; v < z.size(); ++v) {
      auto up = z, down = z;
      up[v] += 0.01f, down[v] -= 0.01f;
      CHECK(static_cast<double>(slopes[v]) ==
            Approx((valueOf(here, up) - valueOf(here, down)) / 0.02).margin(1e-4));
    }
  }
}

TEST_CASE("a metric's change is what its two passes say it is made of") {
  const ReferencePass f("transformer_gelu.safetensors");
  const ModelConfig& config = f.model->config();
  const auto changed = LivePass(f.model).run(f.tokens, headOff);
  std::vector<Metric> metrics{{}, {.kind = Metric::Kind::Divergence, .of = {{6, 3}}}};
  metrics.push_back({.counted = CountedTokens{false, true, false, false, true, true, false, false}});
  for (const AnswerMetric& of : allAnswers) metrics.push_back({.kind = Metric::Kind::Answer, .of = of});
  for (const Metric& metric : metrics) {
    INFO(equationOf(metric, config));
    const float change = MetricOfPass(config, *f.trace, metric).changeTo({config, *changed, metric});
    CHECK(std::abs(change) > 1e-5f);
    CHECK(metricAcross(config, passAtHand("", f.trace), passAtHand("", changed), metric).derivation.value() ==
          Approx(change).margin(1e-5));
  }
}

TEST_CASE("gradients of every metric are the slopes of what it changes by as a part fades") {
  const ReferencePass f("transformer_gelu.safetensors");
  const ModelConfig& config = f.model->config();
  std::vector<Metric> metrics{{}};
  for (const AnswerMetric& of : allAnswers) metrics.push_back({.kind = Metric::Kind::Answer, .of = of});
  Intervention part = headOff.front();
  for (const Metric& metric : metrics) {
    INFO(equationOf(metric, config));
    TensorSet gradients;
    const std::optional<Intervention> parts[] = {part};
    const float estimate = estimateLeftOut(*f.model, *f.trace, {}, parts, metric, gradients).front();
    const auto at = [&](float gain) {
      Intervention scaled = part;
      scaled.kind = InterventionKind::Scale, scaled.value = gain;
      return MetricOfPass(config, *f.trace, metric)
          .changeTo({config, *LivePass(f.model).run(f.tokens, {scaled}), metric});
    };
    CHECK(static_cast<double>(estimate) ==
          Approx(-(at(1.01f) - at(0.99f)) / 0.02).epsilon(0.02).margin(2e-4));
    // And the gradient's numbers open in a pass backward that begins with the metric.
    const TensorView g = gradients[gradientOf(part.point)];
    CHECK(gradients.across(gradientOf(part.point), {6, 1, 2})().derivation.value() ==
          Approx(g(6, 1, 2)).margin(1e-6));
  }
}

TEST_CASE("a text's own metric is of its answer where it ends, and of what the second one lacks") {
  const ReferencePass f("transformer_gelu.safetensors");
  const Metric own = ownMetric(Metric::Kind::Answer, As::Logit, true, *f.trace, {});
  const TensorView z = (*f.trace)["logits"][8];
  CHECK(own.of.prediction.position == 8);
  for (int v = 0; v < z.extent[0]; ++v) {
    CHECK(z(v) <= z(own.of.prediction.entry));
    CHECK((v == own.of.prediction.entry || z(v) <= z(own.of.against)));
  }
}
