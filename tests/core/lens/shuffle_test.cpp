#include "core/lens/shuffle.h"

#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <cmath>
#include <set>

#include "tests/core/model/family_members.h"

using namespace glassformer;
using Catch::Approx;

namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

struct Shuffled {
  explicit Shuffled(const Settings& settings, const Interventions& interventions = {}) {
    config = smallConfig();
    for (const auto& [field, value] : settings) REQUIRE(setField(config, field, value));
    REQUIRE(validate(config));
    const auto model = makeModel(config);
    LivePass live(model, 1);
    trace = live.run(randomTokens(9, 1), interventions, randomTokens(config.isEncoderDecoder() ? 6 : 0, 2));
    order = shuffledOrder(9, 0, 0, 3);
    measureShuffle(*model, *trace, interventions, order, set);
  }
  float relative() const { return set[shuffle::total](0) / set[shuffle::total](1); }

  ModelConfig config;
  std::shared_ptr<const Trace> trace;
  std::vector<int> order;
  TensorSet set;
};

const Settings unordered{{"position_embedding_type", "none"}, {"mask", "none"}};

Settings with(Settings settings, const Settings& more) {
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

constexpr float rounding = 1e-5f;

}  // namespace

TEST_CASE("without positions and without a mask the order of a text changes nothing, to rounding") {
  for (const Settings& more : {Settings{}, Settings{{"attention_kernel", "linear"}},
                               Settings{{"norm_placement", "post"}}, Settings{{"stack", "encoder_only"}}}) {
    const Shuffled of(with(unordered, more));
    INFO((more.empty() ? "" : more[0].second));
    CHECK(whatTellsPlaces(of.config).empty());
    CHECK(of.relative() < rounding);
    for (int t = 0; t < 9; ++t) CHECK(of.set[shuffle::norms](t) < rounding * of.set[shuffle::lengths](t));
  }
}

TEST_CASE("with either of them it does, and the config says which") {
  struct Kind {
    Settings settings;
    std::vector<std::string> tells;
  };
  for (const Kind& kind :
       {Kind{{}, {"learned positions", "the causal mask"}}, Kind{{{"mask", "none"}}, {"learned positions"}},
        Kind{{{"position_embedding_type", "none"}}, {"the causal mask"}},
        Kind{{{"position_embedding_type", "none"}, {"mask", "window"}}, {"the window mask"}},
        Kind{{{"position_embedding_type", "rotary"}, {"mask", "none"}}, {"RoPE (interleaved) positions"}},
        Kind{{{"position_embedding_type", "alibi"}, {"mask", "none"}}, {"ALiBi positions"}},
        Kind{{{"position_embedding_type", "none"}, {"mixing", "recurrence"}}, {"the recurrence"}},
        Kind{{{"position_embedding_type", "none"}, {"mixing", "convolution"}}, {"the convolution"}}}) {
    const Shuffled of(kind.settings);
    CHECK(whatTellsPlaces(of.config) == kind.tells);
    CHECK(of.relative() > 100 * rounding);
  }
}

TEST_CASE("a part that is switched off is so in both orders; a single position is not the same token") {
  const Intervention head{"blocks.0.attn.hook_z", InterventionKind::Zero, {-1, 2, -1, -1}, 0, {}};
  CHECK(Shuffled(unordered, {head}).relative() < rounding);
  const Intervention place{"blocks.0.hook_mlp_out", InterventionKind::Zero, {2, -1, -1, -1}, 0, {}};
  CHECK(Shuffled(unordered, {place}).relative() > 100 * rounding);
}

TEST_CASE("each token is compared with itself, wherever it went") {
  const Shuffled of({});
  const TensorView place = of.set[shuffle::place], order = of.set[shuffle::order],
                   vectors = of.set[shuffle::vectors];
  LivePass live(makeModel(of.config), 1);
  std::vector<int> tokens;
  for (const int t : of.order) tokens.push_back(of.trace->tokens()[static_cast<std::size_t>(t)]);
  const auto other = live.run(tokens);
  double all = 0;
  for (int t = 0; t < 9; ++t) {
    CHECK(order(static_cast<int>(place(t))) == static_cast<float>(t));
    double square = 0;
    for (int d = 0; d < of.config.width; ++d) {
      const float delta = (*other)["blocks.1.hook_resid_post"](static_cast<int>(place(t)), d) -
                          (*of.trace)["blocks.1.hook_resid_post"](t, d);
      CHECK(vectors(t, d) == delta);
      square += std::pow(delta, 2);
    }
    CHECK(of.set[shuffle::norms](t) == Approx(std::sqrt(square)));
    all += square;
  }
  CHECK(of.set[shuffle::total](0) == Approx(std::sqrt(all)));
}

TEST_CASE("the decoder of an encoder-decoder is shuffled, its source stays") {
  const Shuffled of({{"stack", "encoder_decoder"}, {"position_embedding_type", "none"}, {"mask", "none"}});
  CHECK(of.relative() < rounding);
}

TEST_CASE("an order is another one, the same for the same seed, and leaves what comes first") {
  std::set<std::vector<int>> found;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::vector<int> order = shuffledOrder(7, 1, 0, seed);
    CHECK(order == shuffledOrder(7, 1, 0, seed));
    CHECK(order.front() == 0);
    CHECK_FALSE(std::ranges::is_sorted(order));
    CHECK(std::set(order.begin(), order.end()).size() == 7);
    found.insert(order);
  }
  CHECK(found.size() > 15);
  CHECK(shuffledOrder(1, 0, 0, 1) == std::vector{0});
  CHECK(shuffledOrder(2, 0, 0, 1) == std::vector{1, 0});
  CHECK(shuffledOrder(2, 1, 0, 1) == std::vector{0, 1});
  CHECK(shuffledOrder(3, 1, 1, 1) == std::vector{0, 1, 2});
  CHECK(shuffledOrder(4, 1, 1, 1) == std::vector{0, 2, 1, 3});
}
