#include "core/lens/serial_steps.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "core/lens/path_length.h"
#include "tests/core/model/family_members.h"

using namespace glassformer;

namespace {

TensorSet stepsOf(const ModelConfig& config, int tokens, int source = 0) {
  TensorSet set;
  measureSerialSteps(config, tokens, source, set);
  return set;
}

}  // namespace

// The lecture's figure: rows of 1 and 2 for attention; 1, 2, 3, ... for a recurrence, one more per block.
TEST_CASE(
    "states of attention and convolution wait for blocks alone, those of a recurrence for tokens, too") {
  ModelConfig config = smallConfig();
  config.layers = 3;
  for (const Mixing mixing : {Mixing::Attention, Mixing::Convolution, Mixing::Recurrence}) {
    config.mixing = mixing;
    const TensorSet set = stepsOf(config, 7);
    for (int l = 0; l < 3; ++l)
      for (int t = 0; t < 7; ++t) {
        INFO(static_cast<int>(mixing) << ": " << l << ", " << t);
        const int expected = mixing == Mixing::Recurrence ? l + 1 + t : l + 1;
        CHECK(set["lens.serial_steps"](l, t) == static_cast<float>(expected));
      }
  }
}

TEST_CASE("a decoder waits for the encoder, block by block or for all of it") {
  ModelConfig config = smallConfig();
  config.stack = Stack::EncoderDecoder, config.layers = 2;
  CHECK(stepsOf(config, 5, 4)["lens.serial_steps"](0, 0) == 3);
  CHECK(stepsOf(config, 5, 4)["lens.serial_steps"](1, 4) == 4);
  config.crossMemory = CrossMemory::SameLayer;
  CHECK(stepsOf(config, 5, 4)["lens.serial_steps"](0, 4) == 2);
  CHECK(stepsOf(config, 5, 4)["lens.serial_steps"](1, 0) == 3);
}

TEST_CASE("a shortest way is as long as paths are measured, and each of its steps can be taken") {
  for (const Mixing mixing : {Mixing::Attention, Mixing::Convolution, Mixing::Recurrence})
    for (const MaskKind kind : {MaskKind::Causal, MaskKind::Window, MaskKind::None}) {
      ModelConfig config = smallConfig();
      config.mixing = mixing, config.layers = 3;
      config.mask = {kind, kind == MaskKind::Window ? 3 : 0, {{6, 5, false}}};
      TensorSet set;
      measurePathLength(config, 9, set);
      for (int t = 0; t < 9; ++t)
        for (int s = 0; s < 9; ++s) {
          INFO(static_cast<int>(mixing) << ", mask " << static_cast<int>(kind) << ": " << s << " -> " << t);
          const float length = set["lens.path_length"](t, s);
          const std::vector<int> way = shortestWay(config, 9, t, s);
          REQUIRE(way.empty() == std::isnan(length));
          if (way.empty()) continue;
          CHECK(way.front() == s);
          CHECK(way.back() == t);
          int steps = 0;
          for (std::size_t l = 1; l < way.size(); ++l) {
            const auto taken = stepsInBlock(config.ofLayer(static_cast<int>(l) - 1), way[l], way[l - 1]);
            REQUIRE(taken);
            steps += *taken;
          }
          CHECK(static_cast<float>(steps) == length);
        }
    }
}
