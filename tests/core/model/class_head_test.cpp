// A head for classes beside the unembedding. Against PyTorch it stands with all others of the family, in
// family_reference_test.cpp.
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/io/config_file.h"
#include "core/lens/class_probabilities.h"
#include "core/model/head.h"
#include "core/model/model_size.h"
#include "core/train/trainer.h"
#include "tests/core/model/family_members.h"

using namespace glassformer;
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;

namespace {

ModelConfig classifying(Pooling pooling) {
  ModelConfig config = smallConfig();
  config.classes = 3, config.firstClass = 7, config.pooling = pooling;
  return config;
}

}  // namespace

TEST_CASE("a head for classes takes nothing from the logits of tokens, and costs its own products alone") {
  const auto tokens = randomTokens(9, 1);
  const auto plain = traceOf(smallConfig(), tokens);
  for (const Pooling pooling : {Pooling::Last, Pooling::Mean}) {
    const ModelConfig config = classifying(pooling);
    const auto trace = traceOf(config, tokens);
    CHECK((*trace)["logits"].copy() == (*plain)["logits"].copy());
    CHECK(trace->point(trace->count() - 1).name == classLogits);
    CHECK(trace->count() == plain->count() + (pooling == Pooling::Mean ? 2 : 1));
    CHECK(parameterCount(config) == parameterCount(smallConfig()) + 3 * config.width);
    CHECK(multiplyAdds(config, 9, 0) == multiplyAdds(smallConfig(), 9, 0) + 9 * 3 * config.width);
  }
}

TEST_CASE("probabilities of classes add up to one at every token") {
  TensorSet set;
  measureClassProbabilities(*traceOf(classifying(Pooling::Mean), randomTokens(6, 2)), set);
  const TensorView p = set[classProbability];
  REQUIRE(p.extent[1] == 3);
  for (int t = 0; t < 6; ++t) CHECK(p(t, 0) + p(t, 1) + p(t, 2) == Approx(1).epsilon(1e-5));
  TensorSet none;
  measureClassProbabilities(*traceOf(smallConfig(), randomTokens(6, 2)), none);
  CHECK(none.count() == 0);
}

TEST_CASE("the loss of a model with classes is that of its tokens, and of those that name a class besides") {
  const Batch batch{randomTokens(12, 3), {-1, 7, 3, 9, 10, -1, 8, 1, 2, 6, -1, 9}, {}, {}};
  const TrainingOptions options{.sequences = 2, .positions = 6, .shards = 1};
  const auto lossOf = [&](const ModelConfig& config) {
    return Trainer(config, makeModel(config)->parameters().copy(), options).loss(batch);
  };
  const ModelConfig config = classifying(Pooling::Last);
  double classes = 0;
  for (const int row : {0, 1}) {
    TensorSet set;
    const auto first = batch.tokens.begin() + row * 6;
    measureClassProbabilities(*traceOf(config, {first, first + 6}), set);
    for (int t = 0; t < 6; ++t)
      if (const int named = batch.targets[static_cast<std::size_t>(row * 6 + t)] - 7; named >= 0 && named < 3)
        classes -= std::log(static_cast<double>(set[classProbability](t, named)));
  }
  CHECK(lossOf(config) - lossOf(smallConfig()) == Approx(classes / 9).epsilon(1e-4));  // of 9 rows that count
}

TEST_CASE("a config with classes comes back as it was written, and is refused where no token names them") {
  ModelConfig config = classifying(Pooling::Mean);
  const std::string json = modelConfigJson(config, -1);
  CHECK_THAT(json, ContainsSubstring("\"num_labels\": 3"));
  const auto back = modelConfigFrom(nlohmann::json::parse(json), "config.json");
  REQUIRE(back);
  CHECK(*back == config);
  config.firstClass = config.vocabulary - 2;
  REQUIRE_FALSE(validate(config));
  CHECK_THAT(validate(config).error().what, ContainsSubstring("there are 2 tokens to name classes by"));
  config.classes = -1;
  CHECK_THAT(validate(config).error().what, ContainsSubstring("num_labels is negative"));
}
