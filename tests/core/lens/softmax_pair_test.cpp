#include "core/lens/softmax_pair.h"

#include <catch2/catch_approx.hpp>
#include <cmath>

#include "tests/core/model/family_members.h"

using namespace glassformer;
using Catch::Approx;

namespace {

struct Row {
  std::shared_ptr<const Trace> trace;
  HeadId head{1, 2};
  int query = 6;

  TensorView scores() const { return (*trace)["blocks.1.attn.hook_attn_scores"][head.head][query]; }
  TensorView weights() const { return (*trace)["blocks.1.attn.hook_pattern"][head.head][query]; }
  TensorSet measured(std::array<int, 2> keys, float temperature, std::array<float, 2> moved = {}) const {
    TensorSet set;
    measureSoftmaxPair(*trace, head, query, keys, temperature, set, moved);
    return set;
  }
};

Row aRow() { return {traceOf(smallConfig(), randomTokens(9, 1))}; }

}  // namespace

TEST_CASE("the softmax of two scores is the logistic function of their difference, at every temperature") {
  const Row row = aRow();
  for (const float temperature : {0.25f, 1.0f, 4.0f}) {
    const TensorSet set = row.measured({2, 5}, temperature);
    const TensorView surface = set[softmaxPair::surface], x1 = set[softmaxPair::first],
                     x2 = set[softmaxPair::second];
    surface.forEach([&](const auto& at, float share) {
      const double difference = static_cast<double>(x1(at[1])) - x2(at[0]);
      CHECK(share == Approx(1 / (1 + std::exp(-difference / temperature))).epsilon(1e-5).margin(1e-30));
    });
    const double own = static_cast<double>(row.scores()(2)) - row.scores()(5);
    const TensorView share = set[softmaxPair::share];
    CHECK(share(0) == Approx(1 / (1 + std::exp(-own / temperature))).epsilon(1e-5));
    CHECK(share(0) + share(1) == Approx(1));
    // The two scores lie inside the floor, and a shift of both changes nothing.
    for (const int key : {2, 5}) {
      CHECK(x1(0) < row.scores()(key));
      CHECK(x1(softmaxSteps - 1) > row.scores()(key));
    }
    for (int i = 0; i < softmaxSteps; ++i) {
      CHECK(x2(softmaxSteps - 1 - i) == x1(i));
      CHECK(surface(softmaxSteps - 1 - i, i) == 0.5f);
      CHECK(set[softmaxPair::both](i) == Approx(share(0)).epsilon(1e-5));
      CHECK(set[softmaxPair::shifted](i) - x1(i) == Approx(-own).margin(1e-4));
      if (i > 0) CHECK(set[softmaxPair::alone](i) > set[softmaxPair::alone](i - 1));
    }
  }
}

TEST_CASE("at temperature 1 the two shares are the row's own, without the other keys") {
  const Row row = aRow();
  const TensorSet set = row.measured({4, 1}, 1);
  const TensorView weights = row.weights();
  CHECK(set[softmaxPair::together](0) == Approx(weights(4) + weights(1)));
  CHECK(set[softmaxPair::together](0) < 1);
  for (int i = 0; i < 2; ++i)
    CHECK(set[softmaxPair::ofRow](i) == Approx(set[softmaxPair::share](i)).epsilon(1e-5));
  const TensorSet hotter = row.measured({4, 1}, 3);
  CHECK(hotter[softmaxPair::ofRow](0) == set[softmaxPair::ofRow](0));
  CHECK(std::abs(hotter[softmaxPair::share](0) - 0.5f) < std::abs(set[softmaxPair::share](0) - 0.5f));
}

TEST_CASE("at temperature 0 the larger score takes all, the first of equals") {
  const TensorSet set = aRow().measured({0, 3}, 0);
  const TensorView surface = set[softmaxPair::surface], x1 = set[softmaxPair::first],
                   x2 = set[softmaxPair::second];
  surface.forEach(
      [&](const auto& at, float share) { CHECK(share == (x1(at[1]) >= x2(at[0]) ? 1.0f : 0.0f)); });
  CHECK(set[softmaxPair::share](0) + set[softmaxPair::share](1) == 1);
}

TEST_CASE("of a row's keys two are compared that it gives something") {
  const Tensor weights({5}, {0.1f, 0.5f, 0, 0.3f, 0.1f});
  const auto pair = [&](int first, int second) { return pairOfKeys(weights.view(), first, second); };
  CHECK(pair(-1, -1) == std::array{1, 3});
  CHECK(pair(3, -1) == std::array{3, 1});
  CHECK(pair(0, 4) == std::array{0, 4});
  CHECK(pair(-1, 1) == std::array{3, 1});
  CHECK(pair(4, 4) == std::array{4, 1});
  CHECK(pair(2, 9) == std::array{1, 3});  // masked, and beyond the end
  const Tensor alone({2}, {1, 0});
  CHECK(pairOfKeys(alone.view(), 1, 1) == std::array{0, -1});
  CHECK(pairOfKeys(alone.view(), -1, 0) == std::array{0, -1});
}

TEST_CASE("a token that sees itself alone has a surface and no pair") {
  Row row = aRow();
  row.query = 0;
  const TensorSet set = row.measured(pairOfKeys(row.weights(), -1, -1), 1);
  CHECK(set.contains(softmaxPair::surface));
  CHECK_FALSE(set.contains(softmaxPair::share));
}

TEST_CASE("a point that is moved has the height there, and along the diagonal none other") {
  const Row row = aRow();
  for (const float temperature : {0.5f, 1.0f, 3.0f}) {
    const TensorSet own = row.measured({2, 5}, temperature),
                    moved = row.measured({2, 5}, temperature, {1.5f, -0.75f});
    const TensorView point = moved[softmaxPair::point];
    CHECK(point(0) == Approx(row.scores()(2) + 1.5f));
    CHECK(point(1) == Approx(row.scores()(5) - 0.75f));
    const double difference = static_cast<double>(point(0)) - point(1);
    CHECK(moved[softmaxPair::share](0) == Approx(1 / (1 + std::exp(-difference / temperature))));
    CHECK(moved[softmaxPair::own](0) == own[softmaxPair::share](0));  // what the head has stays
    CHECK(own[softmaxPair::own](0) == own[softmaxPair::share](0));
    for (const float both : {-2.0f, 0.5f, 3.0f})
      CHECK(std::abs(row.measured({2, 5}, temperature, {both, both})[softmaxPair::share](0) -
                     own[softmaxPair::share](0)) <= 1e-6f);
  }
}

TEST_CASE("a point is moved no further than the axes go") {
  const Row row = aRow();
  const TensorSet set = row.measured({2, 5}, 1, {1000, -1000});
  CHECK(set[softmaxPair::point](0) == set[softmaxPair::first](softmaxSteps - 1));
  CHECK(set[softmaxPair::point](1) == set[softmaxPair::first](0));
}
