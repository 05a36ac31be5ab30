#include "core/lens/attention_stages.h"

#include <catch2/catch_approx.hpp>
#include <cmath>

#include "core/lens/lookup.h"
#include "core/lens/norm_mean.h"
#include "core/lens/scores.h"
#include "core/model/positional/none.h"
#include "tests/core/model/family_members.h"

using namespace glassformer;
using Catch::Approx;

namespace {

// Every attention of a member in its second block, with the stages of one head.
template <typename Check>
void forEachHead(Check check) {
  forEachMember([&](const ModelConfig& config) {
    if (!config.hasAttention()) return;
    const auto model = makeModel(config);
    LivePass live(model, 1);
    const auto trace = live.run(randomTokens(9, 1), {}, randomTokens(config.isEncoderDecoder() ? 6 : 0, 2));
    std::vector<AttentionSite> sites{AttentionSite::Self};
    if (config.isEncoderDecoder())
      sites = {AttentionSite::Decoder, AttentionSite::Encoder, AttentionSite::Cross};
    for (const AttentionSite site : sites) {
      const HeadId head{1, 2, site};
      TensorSet set;
      measureAttentionStages(*model, *trace, head, set);
      check(config, *trace, head, set);
    }
  });
}

void checkDerivations(const TensorSet& set) {
  for (int i = 0; i < set.count(); ++i)
    set.tensor(i).forEach([&](const std::array<int, maxRank>& index, float value) {
      const auto derivation = set.derive(set.point(i).name, index);
      if (derivation) CHECK(derivation->value() == Approx(value).epsilon(1e-5).margin(1e-6));
    });
}

}  // namespace

TEST_CASE("products, scaled, shifted and masked, are the scores that become shares") {
  int masked = 0, shifted = 0;
  forEachHead([&](const ModelConfig& config, const Trace& trace, HeadId head, const TensorSet& set) {
    if (!hasProducts(config, head.site)) return;
    const TensorView products = set[stageTensor(stages::products, head)],
                     scores = trace[attentionPoint(1, head.site, "hook_attn_scores")][head.head];
    const double scale = (config.scaledScores ? std::sqrt(static_cast<double>(config.headWidth())) : 1) *
                         (config.scoresByLayer ? head.layer + 1 : 1);
    const bool isShifted = hasPositionBias(config, head.site), isMasked = isMaskedBefore(config, head.site);
    masked += isMasked, shifted += isShifted;
    products.forEach([&](const auto& at, float product) {
      double score = product / scale;
      if (hasScaled(config, head.site))
        CHECK(set[stageTensor(stages::scaled, head)](at[0], at[1]) == Approx(score).epsilon(1e-5));
      if (isShifted) score += set[stageTensor(stages::bias, head)](at[0], at[1]);
      if (isMasked) score += set[stageTensor(stages::mask, head)](at[0], at[1]);
      const float traced = scores(at[0], at[1]);
      if (std::isfinite(traced))
        CHECK(traced == Approx(score).epsilon(1e-4).margin(1e-5));
      else
        CHECK(score == traced);
    });
  });
  CHECK(masked > 3);
  CHECK(shifted > 1);
}

TEST_CASE("exponentials over their sums are the pattern, and heads side by side are what they computed") {
  forEachHead([&](const ModelConfig& config, const Trace& trace, HeadId head, const TensorSet& set) {
    const TensorView pattern = trace[attentionPoint(1, head.site, "hook_pattern")][head.head],
                     z = trace[attentionPoint(1, head.site, "hook_z")];
    if (hasSoftmax(config)) {
      const bool isMasked = isMaskedAfter(config, head.site);
      const TensorView e = set[stageTensor(stages::exponentials, head)],
                       sums = set[stageTensor(stages::sums, head)],
                       shares = isMasked
                                    ? trace[attentionPoint(1, head.site, "hook_unmasked_pattern")][head.head]
                                    : pattern;
      e.forEach([&](const auto& at, float value) {
        CHECK(shares(at[0], at[1]) == Approx(value / sums(at[0], 0)).epsilon(1e-5).margin(1e-7));
      });
    }
    if (!config.headsOutputFullWidth()) {
      const TensorView side = set[stageTensor(stages::heads, head)];
      z.forEach(
          [&](const auto& at, float value) { CHECK(side(at[0], at[1] * z.extent[2] + at[2]) == value); });
    }
    checkDerivations(set);
  });
}

TEST_CASE("a lookup at temperature 1 is what the head computes; at 0 it takes the best key's value") {
  forEachHead([&](const ModelConfig& config, const Trace& trace, HeadId head, const TensorSet&) {
    if (!hasSoftmax(config) || isMaskedAfter(config, head.site)) return;
    const TensorView z = trace[attentionPoint(1, head.site, "hook_z")],
                     v = trace[attentionPoint(1, head.site, "hook_v")],
                     scores = trace[attentionPoint(1, head.site, "hook_attn_scores")][head.head];
    for (const float temperature : {0.0f, 0.3f, 1.0f}) {
      TensorSet set;
      measureLookup(config, trace, head, temperature, set);
      const TensorView value = set[stageTensor(lookup::value, head)];
      for (int t = 0; t < value.extent[0]; ++t) {
        int best = 0;
        for (int key = 1; key < scores.extent[1]; ++key)
          if (scores(t, key) > scores(t, best)) best = key;
        for (int k = 0; k < value.extent[1]; ++k) {
          if (temperature == 1) CHECK(value(t, k) == Approx(z(t, head.head, k)).epsilon(1e-4).margin(1e-5));
          if (temperature == 0 && std::isfinite(scores(t, best)))
            CHECK(value(t, k) == v(best, head.head * v.extent[1] / config.heads, k));
        }
      }
      checkDerivations(set);
    }
  });
}

TEST_CASE(
    "an exact lookup takes the mean of the values whose keys are the query, and nothing where none is") {
  ModelConfig config = smallConfig();
  config.similarity = Similarity::Plain, config.positions = &noPositions();
  const auto model = makeModel(config);
  LivePass live(model, 1);
  const auto trace = live.run(std::vector<int>{3, 5, 3, 7, 3});
  TensorSet set;
  const HeadId head{0, 1, AttentionSite::Self};
  measureLookup(config, *trace, head, std::nullopt, set);
  const TensorView exact = set[stageTensor(lookup::exact, head)],
                   value = set[stageTensor(lookup::value, head)],
                   length = set[stageTensor(lookup::length, head)], k = (*trace)["blocks.0.attn.hook_k"],
                   v = (*trace)["blocks.0.attn.hook_v"];
  for (int t = 0; t < 5; ++t)
    for (int s = 0; s < 5; ++s)
      CHECK(exact(t, s) == (s <= t && (s == t || (t % 2 == 0 && s % 2 == 0)) ? 1 : 0));
  for (int i = 0; i < value.extent[1]; ++i) {
    CHECK(value(4, i) == Approx((v(0, 1, i) + v(2, 1, i) + v(4, 1, i)) / 3).epsilon(1e-5).margin(1e-6));
    CHECK(value(1, i) == v(1, 1, i));
  }
  double squares = 0;
  for (int i = 0; i < k.extent[2]; ++i) squares += std::pow(static_cast<double>(k(3, 1, i)), 2);
  CHECK(length(3, 0) == Approx(std::sqrt(squares)).epsilon(1e-5));
  checkDerivations(set);
  CHECK(areAsLong(Tensor({2, 1}, {2, 2.001f}).view(), Tensor({2}, {0, 1}).view()));
  CHECK_FALSE(areAsLong(Tensor({2, 1}, {2, 2.1f}).view(), Tensor({2}, {0, 1}).view()));
}

TEST_CASE("the mean of what a norm reads is that of the residual stream") {
  forEachMember([](const ModelConfig& config) {
    const auto model = makeModel(config);
    LivePass live(model, 1);
    const auto trace = live.run(randomTokens(9, 1), {}, randomTokens(config.isEncoderDecoder() ? 6 : 0, 2));
    const std::string normalized =
        config.isEncoderDecoder() ? "decoder.1.ln1.hook_normalized" : "blocks.1.ln1.hook_normalized";
    TensorSet set;
    if (!trace->contains(normalized)) return;
    measureNormMean(*trace, normalized, set);
    REQUIRE(set.contains(meanTensor(normalized)) == (config.norm != NormKind::Rms));
    checkDerivations(set);
  });
}

TEST_CASE("the score for a weight gives that weight in the softmax of its row") {
  const std::vector<float> scores{0.5f, -2, 3, -INFINITY, 700};
  for (const float weight : {0.001f, 0.3f, 0.999f})
    for (const int key : {0, 2, 4}) {
      std::vector<float> row = scores;
      row[static_cast<std::size_t>(key)] = *scoreForWeight({scores.data(), {5}}, key, weight);
      double sum = 0;
      for (const float s : row) sum += std::exp(static_cast<double>(s) - 700);
      const double share = std::exp(static_cast<double>(row[static_cast<std::size_t>(key)]) - 700) / sum;
      CHECK(std::abs(share - weight) < 1e-4);
    }
  const std::vector<float> alone{2, -INFINITY};
  CHECK_FALSE(scoreForWeight({alone.data(), {2}}, 0, 0.5f));
}
