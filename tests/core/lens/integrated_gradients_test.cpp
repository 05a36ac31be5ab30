// Integrated gradients: what the tokens' numbers sum to, and against a fine sum of gradients of whole passes.
#include "core/lens/integrated_gradients.h"

#include <catch2/catch_approx.hpp>
#include <cmath>

#include "core/lens/influence.h"
#include "core/model/point_names.h"
#include "tests/core/model/family_members.h"
#include "tests/sanitized.h"

using namespace glassformer;
using Catch::Approx;

namespace {

constexpr int textLength = 6, sourceLength = 4;

// A pass of a small model, and integrated gradients of one of its logits.
struct Attributed {
  explicit Attributed(const ModelConfig& config, Interventions standing = {})
      : model(makeModel(config)),
        interventions(std::move(standing)),
        live(model, 1),
        trace(live.run(randomTokens(textLength, 1), interventions,
                       randomTokens(config.isEncoderDecoder() ? sourceLength : 0, 2))) {}

  TensorSet integrate(AnswerMetric of, const Baseline& from, int most) {
    IntegratedGradients gradients(*model, *trace, interventions, of, from);
    while (!gradients.isFinished(most)) gradients.refine();
    CHECK(gradients.steps() <= most);
    TensorSet set;
    gradients.addTo(set);
    return set;
  }
  // The pass with all embeddings somewhere on the path.
  std::shared_ptr<const Trace> at(double alpha, const std::vector<float>& baseline, Interventions* made) {
    Interventions all = interventions;
    for (const Stream stream : {Stream::Text, Stream::Source}) {
      if (stream == Stream::Source && !model->config().isEncoderDecoder()) continue;
      const std::string point = stackPoint(model->config(), "hook_embed", stream);
      const TensorView x = (*trace)[point];
      auto moved = std::make_shared<Tensor>(Tensor({x.extent[0], x.extent[1]}));
      for (int s = 0; s < x.extent[0]; ++s)
        for (int d = 0; d < x.extent[1]; ++d) {
          const double from = baseline[static_cast<std::size_t>(d)];
          (*moved)(s, d) = static_cast<float>(from + alpha * (x(s, d) - from));
        }
      all.push_back({.point = point, .kind = InterventionKind::Replace, .tensor = moved});
    }
    if (made) *made = all;
    return live.run(trace->tokens(), all, trace->source());
  }
  double logit(const Trace& of, AnswerMetric asked) const {
    const auto [t, v] = asked.prediction;
    return of["logits"](t, v) - (asked.against < 0 ? 0.0f : of["logits"](t, asked.against));
  }

  std::shared_ptr<const Transformer> model;
  Interventions interventions;
  LivePass live;
  std::shared_ptr<const Trace> trace;
};

}  // namespace

TEST_CASE(
    "integrated gradients sum to what the logit is above the baseline's, in every member of the family") {
  int held = 0;
  forEachMember([&](const ModelConfig& config) {
    Attributed of(config,
                  {{stackPoint(config, "hook_embed"), InterventionKind::Scale, {1, -1, -1, -1}, 1.5f, {}}});
    for (const Baseline& from :
         {Baseline{}, Baseline{Baseline::Kind::Mean}, Baseline{Baseline::Kind::Token, 7}}) {
      if (isSanitized && from.kind != Baseline::Kind::Mean) continue;
      const AnswerMetric asked{{textLength - 1, 11}, 3};
      const TensorSet set = of.integrate(asked, from, 1024);
      const TensorView total = set[integrated::total];
      const double whole = of.logit(*of.trace, asked),
                   base = of.logit(*of.at(0, baselineVector(*of.model, from), nullptr), asked);
      CHECK(total(integrated::atInput) == Approx(whole).margin(1e-4));
      CHECK(total(integrated::atBaseline) == Approx(base).margin(1e-4));
      double sum = 0;
      for (const char* tokens : {integrated::tokens, integrated::source})
        if (set.contains(tokens))
          for (const float value : set[tokens].copy()) sum += value;
      CHECK(total(integrated::sum) == Approx(sum).margin(1e-5));
      CHECK(total(integrated::error) == Approx(sum - (whole - base)).margin(2e-4));
      // What jumps has no gradient that says so: the error stays, and is told.
      if (config.kernel == AttentionKernel::HardArgmax) continue;
      CHECK(std::abs(sum - (whole - base)) < 1e-3);
      ++held;
    }
  });
  CHECK(held > times(100));
}

TEST_CASE("every token's integrated gradient is the fine sum of gradients along the path") {
  for (const Stack stack : {Stack::DecoderOnly, Stack::EncoderOnly, Stack::EncoderDecoder}) {
    ModelConfig config = smallConfig();
    config.stack = stack;
    if (stack == Stack::EncoderOnly) config.mask.kind = MaskKind::None;
    Attributed of(config);
    const Prediction prediction{textLength - 2, 4};
    const Baseline from{Baseline::Kind::Token, 9};
    const std::vector<float> baseline = baselineVector(*of.model, from);
    const TensorSet set = of.integrate({prediction}, from, 256);
    for (const auto& [tokens, gradient] : {std::pair{integrated::tokens, "lens.embedding_gradient"},
                                           {integrated::source, "lens.source_embedding_gradient"}}) {
      if (!set.contains(tokens)) continue;
      const TensorView x = (*of.trace)[stackPoint(
          config, "hook_embed", tokens == integrated::source ? Stream::Source : Stream::Text)];
      std::vector<double> expected(static_cast<std::size_t>(x.extent[0]));
      constexpr int slices = 200;
      for (int i = 0; i < slices; ++i) {
        Interventions there;
        const auto trace = of.at((i + 0.5) / slices, baseline, &there);
        TensorSet influence;
        measureInfluence(*of.model, *trace, there, prediction, influence);
        const TensorView g = influence[gradient];
        for (int s = 0; s < x.extent[0]; ++s)
          for (int d = 0; d < x.extent[1]; ++d)
            expected[static_cast<std::size_t>(s)] +=
                g(s, d) * (x(s, d) - baseline[static_cast<std::size_t>(d)]) / slices;
      }
      double most = 0;
      for (int s = 0; s < x.extent[0]; ++s) {
        CHECK(set[tokens](s) == Approx(expected[static_cast<std::size_t>(s)]).epsilon(1e-3).margin(1e-3));
        most = std::max(most, std::abs(expected[static_cast<std::size_t>(s)]));
      }
      CHECK(most > 0.01);
    }
  }
}

TEST_CASE("more gradients leave less of an error, and the path is told in order") {
  Attributed of(smallConfig());
  double before = INFINITY;
  for (const int most : {16, 32, 64, 256}) {
    const TensorSet set = of.integrate({{textLength - 1, 3}}, {}, most);
    const double error = std::abs(set[integrated::total](integrated::error));
    CHECK(error <= before + IntegratedGradients::enough);
    before = error;
    const TensorView path = set[integrated::path];
    CHECK(path(0, 0) == 0);
    CHECK(path(path.extent[0] - 1, 0) == 1);
    for (int i = 1; i < path.extent[0]; ++i) CHECK(path(i, 0) > path(i - 1, 0));
  }
  CHECK(before < 1e-3);
}
