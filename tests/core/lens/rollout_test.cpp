#include "core/lens/rollout.h"

#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <cmath>

#include "tests/core/model/family_members.h"
#include "tests/core/model/reference_family.h"

using namespace glassformer;
using Catch::Approx;

namespace {

ModelConfig threeBlocks() {
  ModelConfig config = smallConfig();
  config.layers = 3;
  return config;
}

// (mean_h A + I) / 2 of a block, written down from its definition.
std::vector<std::vector<double>> passedOnBy(const Trace& trace, const ModelConfig& config, int layer) {
  const TensorView patterns = trace[blockPoint(config, layer, "attn.hook_pattern")];
  const int H = patterns.extent[0], T = patterns.extent[1];
  std::vector rows(static_cast<std::size_t>(T), std::vector<double>(static_cast<std::size_t>(T)));
  for (int t = 0; t < T; ++t)
    for (int s = 0; s < T; ++s) {
      double& cell = rows[static_cast<std::size_t>(t)][static_cast<std::size_t>(s)];
      for (int h = 0; h < H; ++h) cell += static_cast<double>(patterns(h, t, s)) / H;
      cell = (cell + (s == t ? 1 : 0)) / 2;
    }
  return rows;
}

// The least that has to be cut, tried out for every set of tokens on the side of t (Ford & Fulkerson 1956).
double leastCut(const std::vector<std::vector<std::vector<double>>>& blocks, int t,
                const std::vector<int>& ends) {
  const int L = static_cast<int>(blocks.size()), T = static_cast<int>(blocks.front().size());
  double least = 1e9;
  for (unsigned side = 0; side < 1u << ((L + 1) * T); ++side) {
    const auto isOn = [&](int level, int token) { return (side >> (level * T + token) & 1u) != 0; };
    if (!isOn(L, t) || std::ranges::any_of(ends, [&](int s) { return isOn(0, s); })) continue;
    double cut = 0;
    for (int level = 1; level <= L; ++level)
      for (int a = 0; a < T; ++a)
        for (int b = 0; b < T; ++b)
          if (isOn(level, a) && !isOn(level - 1, b))
            cut += blocks[static_cast<std::size_t>(level - 1)][static_cast<std::size_t>(a)]
                         [static_cast<std::size_t>(b)];
    least = std::min(least, cut);
  }
  return least;
}

}  // namespace

TEST_CASE("rollout is the product of what every block passes on, and a distribution") {
  const ModelConfig config = threeBlocks();
  const auto trace = traceOf(config, {3, 9, 9, 20, 7});
  const Tensor rollout = attentionRollout(*trace, config, AttentionSite::Self);
  const auto a = passedOnBy(*trace, config, 0), b = passedOnBy(*trace, config, 1);
  for (std::size_t t = 0; t < 5; ++t)
    for (std::size_t s = 0; s < 5; ++s) {
      double product = 0;
      for (std::size_t r = 0; r < 5; ++r) product += b[t][r] * a[r][s];
      CHECK(rollout.view()(0, static_cast<int>(t), static_cast<int>(s)) == Approx(a[t][s]).margin(1e-6));
      CHECK(rollout.view()(1, static_cast<int>(t), static_cast<int>(s)) == Approx(product).margin(1e-6));
    }
  for (int t = 0; t < 5; ++t) {
    float sum = 0;
    for (int s = 0; s < 5; ++s) sum += rollout.view()(2, t, s);
    CHECK(sum == Approx(1));
    for (int s = t + 1; s < 5; ++s) CHECK(rollout.view()(2, t, s) == 0);  // nothing from what comes
  }
}

TEST_CASE("the largest flow is the least cut, tried out in full") {
  ModelConfig config = threeBlocks();
  config.mask.kind = MaskKind::None;
  const auto trace = traceOf(config, {3, 9, 20});
  std::vector<std::vector<std::vector<double>>> blocks;
  for (int layer = 0; layer < config.layers; ++layer) {
    blocks.push_back(passedOnBy(*trace, config, layer));
    for (int t = 0; t < 3; ++t)
      for (const std::vector<int>& ends : {std::vector{0}, {1}, {2}, {0, 2}}) {
        ExpectedPattern claims(3);
        claims[static_cast<std::size_t>(t)] = ends;
        const auto flow = claimedFlow(*trace, config, AttentionSite::Self, claims);
        const ProgressCallback stopped = [](int done, int) { return done < 1; };
        CHECK(claimedFlow(*trace, config, AttentionSite::Self, claims, stopped).empty());
        CHECK(flow[static_cast<std::size_t>(layer)] == Approx(leastCut(blocks, t, ends)).margin(1e-5));
      }
  }
}

TEST_CASE("without a residual connection attention alone is rolled out, also beside a source") {
  ModelConfig config = threeBlocks();
  config.residual = false;
  const auto trace = traceOf(config, {3, 9, 20});
  const TensorView patterns = (*trace)["blocks.0.attn.hook_pattern"];
  float mean = 0;
  for (int h = 0; h < config.heads; ++h) mean += patterns(h, 2, 1) / static_cast<float>(config.heads);
  CHECK(attentionRollout(*trace, config, AttentionSite::Self).view()(0, 2, 1) == Approx(mean));
  ModelConfig reading = smallConfig();
  reading.stack = Stack::EncoderDecoder;
  const auto both = traceOf(reading, {1, 2}, {4, 5, 6});
  CHECK(attentionRollout(*both, reading, AttentionSite::Encoder).view().extent[1] == 3);
  CHECK(attentionRollout(*both, reading, AttentionSite::Decoder).view().extent[1] == 2);
}

TEST_CASE("rollout and flow across agree with both written down for PyTorch's patterns") {
  const std::string file = "family_translation_2017.safetensors";
  const ReferenceValues values(file), expected("rollout_across.safetensors");
  const ReferenceMember member{file, values,
                               readFamilyConfig(values.stored().metadata().at("config"), file)->config};
  const ModelConfig& config = member.config;
  LivePass live(std::make_shared<const Transformer>(config, values.weights(config)), 1);
  const auto trace = live.run(member.tokens(), {}, member.source());
  const auto rollout = attentionRollout(*trace, config, AttentionSite::Cross);
  CHECK(worst(rollout.view().copy(), expected.values("rollout")) < 1e-5);
  const auto flows = expected.values("flow");
  const int L = rollout.view().extent[0], T = rollout.view().extent[1], S = rollout.view().extent[2];
  for (int t = 0; t < T; ++t)
    for (int s = 0; s < S; ++s) {
      ExpectedPattern claims(static_cast<std::size_t>(T));
      claims[static_cast<std::size_t>(t)] = {s};
      const auto flow = claimedFlow(*trace, config, AttentionSite::Cross, claims);
      for (int l = 0; l < L; ++l) {
        INFO("block " << l << ", token " << t << ", in the source " << s);
        CHECK(flow[static_cast<std::size_t>(l)] ==
              Approx(flows[static_cast<std::size_t>((l * T + t) * S + s)]).margin(1e-5));
      }
    }
}

TEST_CASE("rollout and flow are what their terms give, down to the heads' patterns") {
  const auto held = [](const ModelConfig& config, const Trace& trace, AttentionSite site) {
    TensorSet set;
    measureRollout(trace, config, site, set);
    const TensorView rolled = set[rolloutOf(site)];
    CHECK(rolled.copy() == attentionRollout(trace, config, site).view().copy());
    ExpectedPattern claims(static_cast<std::size_t>(rolled.extent[1]));
    for (std::size_t t = 1; t < claims.size(); ++t) claims[t] = {0};
    const int layer = rolled.extent[0] - 1;
    measureFlow(trace, config, site, layer, claims, set);
    double sum = 0;
    for (int t = 1; t < rolled.extent[1]; ++t) sum += static_cast<double>(set["lens.flow"](t));
    CHECK(claimedFlow(trace, config, site, claims).back() ==
          Approx(sum / (rolled.extent[1] - 1)).margin(1e-6));
    for (int i = 0; i < set.count(); ++i)
      set.tensor(i).forEach([&](const auto& at, float value) {
        INFO(set.point(i).name << " " << at[0] << ", " << at[1] << ", " << at[2]);
        const auto made = set.derive(set.point(i).name, at);
        CHECK(made.has_value() != std::isnan(value));
        if (!made) return;
        CHECK(made->value() == Approx(value).margin(1e-5));
        for (const Term& term : made->terms)
          for (const Cell cell : {term.factor, term.other})
            if (cell) CHECK((set.locate(cell) || trace.locate(cell)));
      });
  };
  const ModelConfig config = threeBlocks();
  held(config, *traceOf(config, {3, 9, 9, 20, 7}), AttentionSite::Self);
  ModelConfig reading = smallConfig();
  reading.stack = Stack::EncoderDecoder;
  const auto both = traceOf(reading, {1, 2, 7}, {4, 5, 6});
  for (const AttentionSite site : {AttentionSite::Encoder, AttentionSite::Decoder, AttentionSite::Cross})
    held(reading, *both, site);
}

TEST_CASE("the token that comes next is looked for among those before") {
  const std::vector<int> tokens{7, 3, 7, 5, 7, 3};
  const auto classes = tokenClasses();
  const auto next = std::ranges::find(classes, "next", &DetectionPattern::id);
  REQUIRE(next != classes.end());
  const ExpectedPattern claims = claimsOf(*next, {tokens, tokens, false});
  CHECK(claims == ExpectedPattern{{}, {0}, {}, {0, 2}, {1}, {}});
}
