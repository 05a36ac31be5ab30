#include "core/lens/unembedding.h"

#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <cmath>

#include "tests/core/model/family_members.h"

using namespace glassformer;
using Catch::Approx;

namespace {

TensorSet measured(const Transformer& model) {
  TensorSet set;
  measureUnembedding(model, set);
  return set;
}

// With E and W_U as they are given, two numbers a token.
Transformer modelWith(const std::vector<float>& embedding, const std::vector<float>& unembedding) {
  ModelConfig config = smallConfig();
  config.heads = 1, config.width = 2, config.vocabulary = static_cast<int>(embedding.size()) / 2;
  config.tiedUnembedding = false;
  Parameters parameters(parameterSpecs(config));
  const auto write = [&](const char* name, const std::vector<float>& values) {
    std::ranges::copy(values, parameters.values().begin() +
                                  static_cast<std::ptrdiff_t>(parameters.offset(parameters.find(name))));
  };
  write("wte.weight", embedding), write("lm_head.weight", unembedding);
  return {config, std::move(parameters)};
}

}  // namespace

TEST_CASE("tied, every token's two vectors are one: all cosines are 1") {
  const auto model = makeModel(smallConfig());
  REQUIRE(model->unembedding().data == model->parameters()["wte.weight"].data);
  const TensorSet set = measured(*model);
  const TensorView cosines = set[unembedding::cosine];
  for (int v = 0; v < cosines.extent[0]; ++v) CHECK(cosines(v) == 1);
  CHECK(set[unembedding::count](unembedding::intervals - 1) == static_cast<float>(cosines.extent[0]));
  CHECK(set[unembedding::mean](0) == 1);
}

TEST_CASE("untied, each cosine is that of its own angle") {
  const TensorSet set = measured(modelWith({1, 0, 2, 2, 3, 4, 1, 1, 0, 0}, {0, 5, 1, 1, -3, -4, 1, 0, 1, 1}));
  const TensorView cosines = set[unembedding::cosine], counts = set[unembedding::count];
  CHECK(cosines(0) == 0);
  CHECK(cosines(1) == Approx(1));
  CHECK(cosines(2) == Approx(-1));
  CHECK(cosines(3) == Approx(std::sqrt(0.5)));
  CHECK(std::isnan(cosines(4)));  // a vector of zeros points nowhere
  CHECK(set[unembedding::mean](0) == Approx(std::sqrt(0.5) / 4));
  float all = 0;
  for (int i = 0; i < unembedding::intervals; ++i) all += counts(i);
  CHECK(all == 4);
  CHECK(counts(0) == 1);
  CHECK(counts(unembedding::intervals - 1) == 1);
  CHECK(counts(unembedding::intervals / 2) == 1);
}

TEST_CASE("every token is counted in the interval that its cosine lies in") {
  ModelConfig config = smallConfig();
  config.tiedUnembedding = false;
  const TensorSet set = measured(*makeModel(config));
  const TensorView cosines = set[unembedding::cosine], counts = set[unembedding::count],
                   from = set[unembedding::from];
  for (int i = 0; i < unembedding::intervals; ++i) {
    const float end = i + 1 < unembedding::intervals ? from(i + 1) : 1.1f;
    float inside = 0;
    for (int v = 0; v < cosines.extent[0]; ++v) inside += cosines(v) >= from(i) && cosines(v) < end;
    INFO(i);
    CHECK(counts(i) == inside);
  }
  CHECK(std::abs(set[unembedding::mean](0)) < 0.3f);  // random directions
}

TEST_CASE("stopped, nothing is said of the angles") {
  TensorSet set;
  measureUnembedding(*makeModel(smallConfig()), set, [](int, int) { return false; });
  CHECK(set.count() == 0);
}
