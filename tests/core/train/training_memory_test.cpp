#include "core/train/training_memory.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/train/training_pass.h"
#include "tests/core/model/family_members.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("what the passes of training will need is what they then take, for every member of the family") {
  forEachMember([](const ModelConfig& config) {
    Transformer model(config, makeModel(config)->parameters().copy());
    const int S = config.isEncoderDecoder() ? 11 : 0;
    TrainingPass shard(model, 3, 20, S);
    shard.tape.planBackward();
    const double taken = shard.tape.bytesFor(3, 20, S).all() + shard.tape.gradientBytesFor(3, 20, S);
    CHECK(trainingPassBytes(config, {6, 20, S, 2}) == 2 * taken);
  });
}

// Of every block one square is kept of the scores and the pattern that is written over them, and of their
// gradients those of one head.
TEST_CASE("attention over long texts trains in less than a second copy of its patterns") {
  ModelConfig config = smallConfig();
  config.context = 1024;
  const double patterns = sizeof(float) * 8.0 * config.layers * config.heads * 1024 * 1024,
               passes = trainingPassBytes(config, {8, 1024, 0, 2});
  CHECK(passes > patterns);
  CHECK(passes < 1.5 * patterns);
}

TEST_CASE("a batch that is too large for the memory is refused with the numbers") {
  ModelConfig config = smallConfig();
  config.width = 1 << 20;
  CHECK_FALSE(checkTrainingMemory(config, {16, 64, 0, 2}, 24e9));
  config = smallConfig();
  CHECK(checkTrainingMemory(config, {16, 24, 0, 2}, 24e9));
  const Status batches = checkTrainingMemory(config, {1 << 20, 24, 0, 2}, 24e9);
  REQUIRE_FALSE(batches);
  CHECK_THAT(batches.error().message(), ContainsSubstring("for batches of 1048576 times 24 tokens"));
}
