#include "core/model/memory_need.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/model/pass.h"
#include "core/tensor/available_memory.h"
#include "tests/core/model/family_members.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("what a pass will need is what it then takes, for every member of the family") {
  forEachMember([](const ModelConfig& config) {
    const auto model = makeModel(config);
    const int S = config.isEncoderDecoder() ? 11 : 0;
    Tape tape(2, 20, S);
    Pass pass(tape, config, model->parameters());
    model->forward(pass);
    const Tape::Bytes known = passBytes(config, 2, 20, S), taken = tape.bytesFor(2, 20, S);
    CHECK(known.tables == taken.tables);
    CHECK(known.squares == taken.squares);
    CHECK(known.cheap == taken.cheap);
    // Whole cache lines of 16 floats: rows of 20 keys take 32, and of all 4 heads.
    if (config.hasAttention()) CHECK(taken.squares >= 2 * config.layers * 4.0 * 2 * 4 * 20 * 32);
  });
}

TEST_CASE("too much is refused with what is asked, what it needs and what there is") {
  ModelConfig config = smallConfig();
  config.context = 200000;
  const Status pass = checkPassMemory(config, 200000, 0, 1e15, 24e9);
  REQUIRE_FALSE(pass);
  CHECK_THAT(pass.error().message(), ContainsSubstring("room for 200000 tokens needs ") &&
                                         ContainsSubstring("for attention from every token to every other") &&
                                         ContainsSubstring("this machine has 24 GB to spare"));
  CHECK(checkPassMemory(config, 64, 0, 1e15, 24e9));

  config.width = 1 << 20;
  const Status weights = checkWeightMemory(config, 24e9);
  REQUIRE_FALSE(weights);
  CHECK_THAT(weights.error().message(), ContainsSubstring("the weights of this model need "));
}

TEST_CASE("what is refused beforehand says what would not be kept, and passes that keep less need less") {
  ModelConfig config = smallConfig();
  config.context = 1 << 20;
  const Tape::Bytes pass = passBytes(config, 1, 4096);
  const auto neededOf = [&](RetentionPolicy kept) {  // and, while it runs, what one block makes besides
    return pass.of(kept) + (pass.all() - pass.of(kept)) / config.layers;
  };
  for (const auto& [kept, words] :
       {std::pair(RetentionPolicy::Everything,
                  std::string("of them for attention from every token to every other")),
        {RetentionPolicy::Patterns, "without scores, norms and activations, which are recomputed"},
        {RetentionPolicy::Tables, "without scores, patterns, norms and activations, which are recomputed"}}) {
    const double budget = 2 * pass.of(kept), needed = neededOf(kept);
    REQUIRE(retainedWithin(pass, budget) == kept);
    CHECK(checkPassMemory(config, 4096, 0, budget, needed));
    const Status refused = checkPassMemory(config, 4096, 0, budget, 0.99 * needed);
    REQUIRE_FALSE(refused);
    CHECK_THAT(refused.error().message(),
               ContainsSubstring("room for 4096 tokens needs " + byteWords(needed) + ", ") &&
                   ContainsSubstring(words));
  }
  CHECK(neededOf(RetentionPolicy::Tables) < neededOf(RetentionPolicy::Patterns));
  CHECK(pass.cheap > 0);
}

TEST_CASE("weights are counted to the last, and so is a given table of positions") {
  const ModelConfig config = smallConfig();
  CHECK(weightBytes(config) == 4.0 * static_cast<double>(Parameters(parameterSpecs(config)).valueCount()));
  CHECK(byteWords(4.3e9) == "4.3 GB");
  CHECK(byteWords(160e9) == "160 GB");
  CHECK(byteWords(12e6) == "12 MB");
}

TEST_CASE("there is memory to spare on the machine that runs this") {
  CHECK(availableMemory() > 1e6);
  CHECK(availableMemory() == Catch::Approx(availableMemory()).epsilon(0.5));
}
