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

TEST_CASE("a pass that does not fit into the limit even without its squares is refused with both numbers") {
  ModelConfig config = smallConfig();
  config.context = 1 << 20;
  const Tape::Bytes pass = passBytes(config, 1, 4096);
  const double needed = pass.tables + pass.squares / config.layers;  // while it runs, those of one block
  REQUIRE(needed < pass.all());
  CHECK(checkPassMemory(config, 4096, 0, pass.all(), pass.all()));
  CHECK(checkPassMemory(config, 4096, 0, needed, needed));
  const Status beyond = checkPassMemory(config, 4096, 0, 0.9 * needed, 1e15);
  REQUIRE_FALSE(beyond);
  CHECK_THAT(beyond.error().message(),
             ContainsSubstring("room for 4096 tokens needs " + byteWords(needed) +
                               ", without scores and patterns, which are recomputed; the memory limit is " +
                               byteWords(0.9 * needed)));
  const Status elsewhere = checkPassMemory(config, 4096, 0, needed, 0.9 * needed);
  REQUIRE_FALSE(elsewhere);
  CHECK_THAT(elsewhere.error().message(),
             ContainsSubstring("; this machine has " + byteWords(0.9 * needed) + " to spare"));
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
