// What reaches queries, keys and values: through softmax against central differences of the same pass,
// through argmax exactly nothing but to the values that are selected.
#include "core/lens/head_gradients.h"

#include <catch2/catch_approx.hpp>
#include <cmath>

#include "core/lens/influence.h"
#include "tests/core/model/family_members.h"

using namespace glassformer;
using Catch::Approx;

namespace {

constexpr HeadId head{0, 2};
constexpr Prediction askedToken{6, 11};

struct Differentiated {
  explicit Differentiated(const ModelConfig& config, Interventions given = {})
      : model(makeModel(config)), interventions(std::move(given)), live(model, 1) {
    measureHeadGradients(*model, *run({}), interventions, head, askedToken, set);
  }

  std::shared_ptr<const Trace> run(Interventions more) {
    more.insert(more.begin(), interventions.begin(), interventions.end());
    return live.run(randomTokens(8, 1), more);
  }
  // Of the logit by one number of a vector, to the fourth order.
  double slope(const std::string& part, int own, int t, int i) {
    const auto logit = [&](float by) {
      const Intervention add{
          attentionPoint(head.layer, head.site, "hook_" + part), InterventionKind::Add, {t, own, i, -1}, by};
      return static_cast<double>((*run({add}))["logits"](askedToken.position, askedToken.entry));
    };
    constexpr float h = 1e-2f;
    return (8 * (logit(h) - logit(-h)) - (logit(2 * h) - logit(-2 * h))) / (12.0 * h);
  }

  std::shared_ptr<const Transformer> model;
  Interventions interventions;
  LivePass live;
  TensorSet set;
};

void checkSlopes(Differentiated& of) {
  for (const std::string part : {"q", "k", "v"}) {
    const TensorView vectors = of.set[headGradient::vectors(part)], norms = of.set[headGradient::norms(part)];
    const ModelConfig& config = of.model->config();
    const int own = part == "q" ? head.head : head.head * config.valueHeads() / config.heads;
    double most = 0;
    for (int t = 0; t < vectors.extent[1]; ++t) {
      double square = 0;
      for (int i = 0; i < vectors.extent[2]; ++i) {
        const float measured = vectors(headGradient::softmax, t, i);
        square += std::pow(measured, 2);
        most = std::max<double>(most, std::abs(measured));
        if (i % 3 == 0) CHECK(measured == Approx(of.slope(part, own, t, i)).epsilon(2e-3).margin(2e-4));
      }
      CHECK(norms(headGradient::softmax, t) == Approx(std::sqrt(square)).epsilon(1e-5).margin(1e-12));
    }
    INFO(part);
    CHECK(most > 1e-3);  // there was something to hold
  }
}

}  // namespace

TEST_CASE("through softmax, what reaches queries, keys and values are the slopes of the logit") {
  Differentiated plain(smallConfig());
  checkSlopes(plain);
  CHECK(plain.set[headGradient::logit](headGradient::softmax) ==
        Approx((*plain.run({}))["logits"](askedToken.position, askedToken.entry)));
  ModelConfig rotary = smallConfig();
  REQUIRE(setField(rotary, "position_embedding_type", "rotary"));
  rotary.keyValueHeads = 2;
  Differentiated turned(rotary);
  checkSlopes(turned);
  Differentiated changed(
      smallConfig(), {{"blocks.1.attn.hook_pattern", InterventionKind::Scale, {1, -1, -1, -1}, 0.5f, {}}});
  checkSlopes(changed);
}

TEST_CASE("through argmax nothing reaches queries and keys, and of the values those that are selected") {
  for (const bool isTrained : {false, true}) {  // with argmax, or with softmax
    ModelConfig config = smallConfig();
    if (isTrained) config.kernel = AttentionKernel::HardArgmax;
    const Differentiated of(config);
    for (const std::string part : {"q", "k"}) {
      of.set[headGradient::vectors(part)][headGradient::argmax].forEach(
          [](const auto&, float g) { CHECK(g == 0); });
      of.set[headGradient::norms(part)][headGradient::argmax].forEach(
          [](const auto&, float g) { CHECK(g == 0); });
    }
    const TensorView selected = of.set[headGradient::selected],
                     values = of.set[headGradient::norms("v")][headGradient::argmax];
    int reached = 0;
    for (int s = 0; s < values.extent[0]; ++s) {
      float times = 0;
      for (int t = 0; t <= askedToken.position; ++t) times += selected(t, s);
      if (times == 0) CHECK(values(s) == 0);
      reached += values(s) > 0;
    }
    CHECK(reached > 0);
    CHECK(reached < askedToken.position + 1);
    for (int t = 0; t < selected.extent[0]; ++t) {
      float chosen = 0;
      for (int s = 0; s < selected.extent[1]; ++s) chosen += selected(t, s);
      CHECK(chosen == 1);
    }
  }
}

TEST_CASE(
    "the nearer the temperature is to 0, the more the gradient through softmax is that through argmax") {
  const auto model = makeModel(smallConfig());
  LivePass live(model, 1);
  const auto trace = live.run(randomTokens(8, 1));
  const auto at = [&](float temperature) {
    TensorSet set;
    measureHeadGradients(*model, *trace, {}, head, askedToken, set, temperature);
    return set;
  };
  const TensorSet usual = at(1), cold = at(1e-4f), hard = at(0), warm = at(0.5f);
  TensorSet plain;
  measureHeadGradients(*model, *trace, {}, head, askedToken, plain);
  CHECK(usual[headGradient::norms("k")].copy() == plain[headGradient::norms("k")].copy());
  CHECK(warm[headGradient::norms("k")].copy() != plain[headGradient::norms("k")].copy());
  for (const std::string part : {"q", "k", "v"}) {
    const TensorView soft = cold[headGradient::norms(part)];
    for (int t = 0; t < soft.extent[1]; ++t) {
      CHECK(std::abs(soft(headGradient::softmax, t) - soft(headGradient::argmax, t)) < 1e-4f);
      CHECK(hard[headGradient::norms(part)](headGradient::softmax, t) ==
            hard[headGradient::norms(part)](headGradient::argmax, t));
    }
  }
  // With weights otherwise: the slope of the same logit with scores divided by hand.
  Interventions divided;
  for (int layer = 0; layer < 2; ++layer)
    divided.push_back({attentionPoint(layer, AttentionSite::Self, "hook_attn_scores"),
                       InterventionKind::Scale,
                       {-1, -1, -1, -1},
                       2});
  CHECK(warm[headGradient::logit](headGradient::softmax) ==
        Approx((*live.run(randomTokens(8, 1), divided))["logits"](askedToken.position, askedToken.entry)));
}

TEST_CASE("no gradient reaches a token behind the prediction, and in the last block one query alone") {
  const auto model = makeModel(smallConfig());
  LivePass live(model, 1);
  const auto trace = live.run(randomTokens(8, 1));
  TensorSet set;
  measureHeadGradients(*model, *trace, {}, {1, 0}, {4, 3}, set);
  for (const std::string part : {"q", "k", "v"})
    for (int t = 0; t < 8; ++t) {
      const float norm = set[headGradient::norms(part)](headGradient::softmax, t);
      INFO(part << " " << t);
      CHECK((norm > 0) == (part == "q" ? t == 4 : t <= 4));
    }
}

TEST_CASE("every attention that has softmax or argmax has these gradients; others say why not") {
  int measured = 0, refused = 0;
  forEachMember([&](const ModelConfig& config) {
    if (!whyNoHeadGradients(config).empty()) {
      ++refused;
      return;
    }
    ++measured;
    const auto model = makeModel(config);
    LivePass live(model, 1);
    const auto trace = live.run(randomTokens(5, 1), {}, randomTokens(config.isEncoderDecoder() ? 4 : 0, 2));
    std::vector<AttentionSite> sites{AttentionSite::Self};
    if (config.isEncoderDecoder())
      sites = {AttentionSite::Decoder, AttentionSite::Encoder, AttentionSite::Cross};
    for (const AttentionSite site : sites) {
      TensorSet set;
      measureHeadGradients(*model, *trace, {}, {1, 2, site}, {4, 1}, set);
      const auto count = [&](Stream stream) { return stream == Stream::Text ? 5 : 4; };
      CHECK(set[headGradient::norms("q")].extent[1] == count(queriesOf(site)));
      CHECK(set[headGradient::norms("k")].extent[1] == count(keysOf(site)));
      for (const std::string part : {"q", "k"})
        set[headGradient::norms(part)][headGradient::argmax].forEach(
            [](const auto&, float g) { CHECK(g == 0); });
    }
  });
  CHECK(measured > 20);
  CHECK(refused > 3);
}
