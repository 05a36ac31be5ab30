// What a prediction depends on, against central differences of the same forward pass.
#include <catch2/catch_approx.hpp>
#include <cmath>
#include <optional>

#include "core/lens/contributions.h"
#include "core/lens/influence.h"
#include "core/lens/path_length.h"
#include "core/model/positional/none.h"
#include "tests/core/model/family_members.h"
#include "tests/sanitized.h"

using namespace glassformer;
using Catch::Approx;

namespace {

constexpr int positions = 6, sourcePositions = 4;

// A logit of a model as a function of its embeddings.
class Logit {
 public:
  Logit(const ModelConfig& config, Interventions interventions, Prediction of)
      : model(makeModel(config)),
        tokens(randomTokens(positions, 1)),
        source(randomTokens(config.isEncoderDecoder() ? sourcePositions : 0, 2)),
        interventions_(std::move(interventions)),
        of_(of),
        live_(model, 1) {
    measureInfluence(*model, *trace(interventions_), interventions_, of, set);
  }

  std::shared_ptr<const Trace> trace(const Interventions& interventions) {
    return live_.run(tokens, interventions, source);
  }
  double with(Intervention change) {
    Interventions all = interventions_;
    all.push_back(std::move(change));
    return (*trace(all))["logits"](of_.position, of_.entry);
  }
  bool isSmooth() const {
    const ModelConfig& config = model->config();
    const bool narrows =
        config.hasConvolution() && config.filters == Filters::Bottleneck;  // between two ReLUs
    return config.activation != Activation::Relu && config.kernel != AttentionKernel::HardArgmax && !narrows;
  }
  double tolerance() const { return isSmooth() ? 2e-3 : 1e-2; }
  int width() const { return model->config().width; }
  std::vector<Stream> streams() const {
    if (!model->config().isEncoderDecoder()) return {Stream::Text};
    return {Stream::Text, Stream::Source};
  }
  int count(Stream stream) const {
    return static_cast<int>(stream == Stream::Text ? tokens.size() : source.size());
  }
  std::string name(Stream stream, const std::string& rest) const {
    return (stream == Stream::Text ? "lens." : "lens.source_") + rest;
  }

  // d logit / dh of what `change(h)` makes of it, to the fourth order in h. Nothing where a ReLU or an argmax
  // switches over in between: then two steps disagree.
  template <typename Change>
  std::optional<double> slope(Change change, float h) {
    const auto between = [&](float by) { return with(change(by)) - with(change(-by)); };
    const auto slopeWith = [&](float by) { return (8 * between(by) - between(2 * by)) / (12.0 * by); };
    if (isSmooth()) return slopeWith(h);
    const double coarse = slopeWith(h / 8), fine = slopeWith(h / 16);
    return std::abs(coarse - fine) < tolerance() * (1 + std::abs(fine)) ? std::optional(fine) : std::nullopt;
  }
  std::optional<double> slopeAt(Stream stream, int s, int d) {
    const std::string point = stackPoint(model->config(), "hook_embed", stream);
    return slope(
        [&](float h) {
          return Intervention{point, InterventionKind::Add, {s, d, -1, -1}, h, {}};
        },
        4e-3f);
  }
  std::optional<double> slopeAlong(Stream stream, int s) {
    const std::string point = stackPoint(model->config(), "hook_embed", stream);
    return slope(
        [&](float h) {
          return Intervention{point, InterventionKind::Scale, {s, -1, -1, -1}, 1 + h, {}};
        },
        2e-2f);
  }

  std::shared_ptr<const Transformer> model;
  std::vector<int> tokens, source;
  TensorSet set;

 private:
  Interventions interventions_;
  Prediction of_;
  LivePass live_;
};

void checkAgainstDifferences(Logit& logit) {
  int held = 0, skipped = 0;
  const auto hold = [&](double measured, std::optional<double> difference) {
    if (!difference) ++skipped;
    if (!difference) return;
    ++held;
    CHECK(measured == Approx(*difference).epsilon(logit.tolerance()).margin(logit.tolerance()));
  };
  for (const Stream stream : logit.streams()) {
    const TensorView gradient = logit.set[logit.name(stream, "embedding_gradient")],
                     norm = logit.set[logit.name(stream, "influence")],
                     byInput = logit.set[logit.name(stream, "influence_by_input")];
    REQUIRE(gradient.extent[0] == logit.count(stream));
    for (int s = 0; s < logit.count(stream); ++s) {
      INFO("stream " << static_cast<int>(stream) << ", token " << s);
      double square = 0;
      for (int d = 0; d < logit.width(); ++d) square += std::pow(gradient(s, d), 2);
      CHECK(norm(s) == Approx(std::sqrt(square)).epsilon(1e-5).margin(1e-12));
      hold(byInput(s), logit.slopeAlong(stream, s));
      for (int d = s % 3; d < logit.width(); d += isSanitized ? 29 : 7)
        hold(gradient(s, d), logit.slopeAt(stream, s, d));
    }
  }
  CHECK(held > 4 * skipped);
}

// Switched off, weakened, painted by hand, and what lets a token see a later one.
Interventions manyInterventions(const ModelConfig& config) {
  const AttentionSite site = ownSite(config);
  const auto attention = [&](int layer, const char* point) { return attentionPoint(layer, site, point); };
  Interventions all{
      {attention(0, "hook_pattern"), InterventionKind::Scale, {1, -1, -1, -1}, 0.5f, {}},
      {attention(0, "hook_pattern"), InterventionKind::Replace, {2, 1, 3, -1}, 0.7f, {}},
      {attention(0, "hook_pattern"), InterventionKind::Add, {0, 3, 5, -1}, 0.4f, {}},
      {attention(1, "hook_attn_scores"), InterventionKind::Scale, {-1, -1, -1, -1}, 3, {}},
      {attention(1, "hook_attn_scores"), InterventionKind::Replace, {1, 3, 1, -1}, 0.5f, {}},
      {attention(1, "hook_attn_scores"), InterventionKind::Replace, {3, 2, 4, -1}, 0.5f, {}},
      {attention(1, "hook_z"), InterventionKind::Zero, {-1, 2, -1, -1}, 0, {}},
      {attention(0, "hook_v"), InterventionKind::Add, {2, -1, -1, -1}, 0.1f, {}},
      {blockPoint(config, 0, "recurrence.hook_state"), InterventionKind::Scale, {2, -1, -1, -1}, 0.5f, {}},
      {blockPoint(config, 0, "recurrence.hook_state"), InterventionKind::Add, {1, 3, -1, -1}, 0.3f, {}},
      {blockPoint(config, 1, "recurrence.hook_carried"), InterventionKind::Scale, {3, -1, -1, -1}, 0.4f, {}},
      {blockPoint(config, 1, "hook_mlp_out"), InterventionKind::Zero, {-1, -1, -1, -1}, 0, {}},
      {blockPoint(config, 1, "hook_resid_pre"), InterventionKind::Scale, {2, -1, -1, -1}, 2, {}},
      {stackPoint(config, "hook_embed"), InterventionKind::Scale, {1, -1, -1, -1}, 0.6f, {}},
      {"logits", InterventionKind::Scale, {-1, -1, -1, -1}, 1.5f, {}},
      {"blocks.0.recurrence.hook_state", InterventionKind::Scale, {2, -1, -1, -1}, 0.5f, {}},
      {"blocks.0.recurrence.hook_state", InterventionKind::Replace, {1, 4, -1, -1}, 0.3f, {}},
      {"blocks.1.recurrence.hook_carried", InterventionKind::Zero, {3, 7, -1, -1}, 0, {}},
      {"blocks.0.convolution.hook_taps", InterventionKind::Scale, {3, 1, -1, -1}, 0.4f, {}}};
  if (config.isEncoderDecoder()) {
    all.push_back({"encoder.1.hook_resid_pre", InterventionKind::Scale, {1, -1, -1, -1}, 1.7f, {}});
    all.push_back({"decoder.0.cross_attn.hook_pattern", InterventionKind::Zero, {0, -1, 2, -1}, 0, {}});
  }
  return all;
}

}  // namespace

TEST_CASE("influence is what central differences measure, on every member of the family") {
  forEachMember([](const ModelConfig& config) {
    Logit logit(config, {}, {4, 7});
    checkAgainstDifferences(logit);
  });
}

TEST_CASE("interventions are part of the function whose influence is measured") {
  forEachMember([](const ModelConfig& config) {
    Logit logit(config, manyInterventions(config), {4, 7});
    checkAgainstDifferences(logit);
  });
}

TEST_CASE("what is switched off lets no influence through") {
  const ModelConfig config = smallConfig();
  Interventions off;
  for (int layer = 0; layer < config.layers; ++layer)
    off.push_back(
        {blockPoint(config, layer, "hook_attn_out"), InterventionKind::Zero, {-1, -1, -1, -1}, 0, {}});
  const Logit logit(config, off, {4, 7});
  for (int s = 0; s < positions; ++s) CHECK((logit.set["lens.influence"](s) != 0) == (s == 4));
}

TEST_CASE("there is exactly no influence where no path of allowed keys leads") {
  for (const MaskKind kind : {MaskKind::None, MaskKind::Causal, MaskKind::Prefix, MaskKind::Window}) {
    ModelConfig config = smallConfig();
    config.mask = {kind, 2, {{3, 3, false}, {3, 1, false}, {1, 5, true}}};
    const AttentionMask& mask = config.mask;
    // Through both blocks: t sees r, which sees s; the residual stream lets every token see itself.
    const auto steps = [&](int t, int s) { return t == s || mask.allows(t, s); };
    const auto reaches = [&](int t, int s) {
      for (int r = 0; r < positions; ++r)
        if (steps(t, r) && steps(r, s)) return true;
      return false;
    };
    for (int t = 0; t < positions; ++t) {
      const Logit logit(config, {}, {t, 7});
      for (int s = 0; s < positions; ++s) {
        INFO("mask " << static_cast<int>(kind) << ", from " << s << " to " << t);
        CHECK((logit.set["lens.influence"](s) != 0) == reaches(t, s));
        CHECK((logit.set["lens.influence_by_input"](s) != 0) == reaches(t, s));
      }
    }
  }
}

TEST_CASE("influence reaches exactly as far as there are paths, whatever mixes the tokens") {
  forEachMember([](const ModelConfig& config) {
    if (config.maskTime == MaskTime::AfterSoftmax) return;  // there it is 0 but for rounding
    TensorSet paths;
    measurePathLength(config, positions, paths);
    for (int t = 0; t < positions; ++t) {
      const Logit logit(config, {}, {t, 7});
      for (int s = 0; s < positions; ++s) {
        INFO("from " << s << " to " << t);
        const bool path = std::isfinite(paths["lens.path_length"](t, s));
        // An argmax may look past a token that it could see.
        if (!path || config.kernel != AttentionKernel::HardArgmax)
          CHECK((logit.set["lens.influence"](s) != 0) == path);
      }
    }
  });
}

// Distances alone decide what is looked at, nothing is normalized and nothing bent: logits are linear in the
// embeddings, and without biases a sum of what each token gives.
TEST_CASE("in a linear model the influences by input sum to the logit") {
  ModelConfig config = smallConfig();
  config.kernel = AttentionKernel::Distance;
  config.normPlacement = NormPlacement::None;
  config.activation = Activation::None;
  config.positions = &noPositions();
  const auto model = makeModel(config);  // fresh biases are 0
  LivePass live(model, 1);
  const std::vector<int> tokens = randomTokens(positions, 1);
  const auto trace = live.run(tokens);
  TensorSet set;
  measureInfluence(*model, *trace, {}, {4, 7}, set);
  double sum = 0;
  for (int s = 0; s < positions; ++s) sum += set["lens.influence_by_input"](s);
  CHECK(sum == Approx((*trace)["logits"](4, 7)).epsilon(1e-5));
  SECTION("and do not depend on what is written there") {
    std::vector<int> others = tokens;
    others[2] = (others[2] + 1) % 40;
    TensorSet changed;
    measureInfluence(*model, *live.run(others), {}, {4, 7}, changed);
    for (int s = 0; s < positions; ++s) CHECK(changed["lens.influence"](s) == set["lens.influence"](s));
  }
}

TEST_CASE("the matrix holds every position's influences, and their means by distance") {
  forEachMember([](const ModelConfig& config) {
    const auto model = makeModel(config);
    LivePass live(model, 1);
    const auto trace = live.run(randomTokens(positions, 1), {},
                                randomTokens(config.isEncoderDecoder() ? sourcePositions : 0, 2));
    TensorSet set;
    measureInfluenceMatrix(*model, *trace, {}, set);
    const TensorView norms = set["lens.influence_matrix"];
    for (int t = 0; t < positions; ++t) {
      CHECK(static_cast<int>(set["lens.influenced_token"](t)) == likeliestEntry(*trace, t));
      TensorSet row;
      measureInfluence(*model, *trace, {}, {t, likeliestEntry(*trace, t)}, row);
      for (int s = 0; s < positions; ++s) {
        CHECK(norms(t, s) == row["lens.influence"](s));
        CHECK(set["lens.influence_by_input_matrix"](t, s) == row["lens.influence_by_input"](s));
      }
      for (int s = 0; config.isEncoderDecoder() && s < sourcePositions; ++s)
        CHECK(set["lens.source_influence_matrix"](t, s) == row["lens.source_influence"](s));
    }
    const TensorView means = set["lens.influence_by_distance"];
    REQUIRE(means.extent[0] == mostInfluenceRows);
    CHECK(means(0) ==
          Approx((norms(0, 0) + norms(1, 1) + norms(2, 2) + norms(3, 3) + norms(4, 4) + norms(5, 5)) / 6));
    CHECK(means(4) == Approx((norms(4, 0) + norms(5, 1)) / 2));
    CHECK(std::isnan(means(positions)));
    REQUIRE(set.contains("lens.influence_by_distance_ahead") == config.mask.looksAhead());
    if (config.mask.looksAhead()) CHECK(set["lens.influence_by_distance_ahead"](5) == Approx(norms(0, 5)));
  });
}

TEST_CASE("a matrix that is too large or given up is left out whole") {
  ModelConfig config = smallConfig();
  config.context = mostInfluenceRows + 1;
  const auto model = makeModel(config);
  LivePass live(model, 1);
  TensorSet set;
  measureInfluenceMatrix(*model, *live.run(randomTokens(mostInfluenceRows + 1, 1)), {}, set);
  CHECK(set.count() == 0);
  int rows = 0;
  measureInfluenceMatrix(*model, *live.run(randomTokens(9, 1)), {}, set,
                         [&](int done, int total) { return rows = done, total == 9 && done < 4; });
  CHECK(set.count() == 0);
  CHECK(rows == 4);
}
