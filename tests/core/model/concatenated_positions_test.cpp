// x = [E[token]; p[t]]: positions in columns of their own.
#include "core/model/positional/concatenated.h"

#include <catch2/catch_test_macros.hpp>

#include "core/model/positional/sinusoidal.h"
#include "tests/core/model/family_members.h"

using namespace glassformer;

namespace {

ModelConfig concatenatedConfig(float columns = 0) {
  ModelConfig config = smallConfig();
  config.positions = &concatenatedPositions(), config.positionParameter = columns;
  return config;
}

}  // namespace

TEST_CASE("the stream begins with the token's columns and the position's side by side") {
  const ModelConfig config = concatenatedConfig(6);
  const auto model = makeModel(config);
  const auto tokens = randomTokens(9, 2);
  const auto trace = LivePass(model, 1).run(tokens);
  const TensorView x = (*trace)["blocks.0.hook_resid_pre"], content = (*trace)["hook_embed"],
                   position = (*trace)["hook_pos_embed"], table = model->parameters()["wte.weight"];
  const Tensor sines = sinusoids(config.context, {.width = 6});
  for (int t = 0; t < 9; ++t)
    for (int d = 0; d < config.width; ++d) {
      const bool isPosition = d >= config.width - 6;
      CHECK(x(t, d) ==
            (isPosition ? sines(t, d - (config.width - 6)) : table(tokens[static_cast<std::size_t>(t)], d)));
      CHECK((isPosition ? content : position)(t, d) == 0);
    }
}

TEST_CASE("positions get as many columns as are asked for and never more than half") {
  CHECK(concatenatedPositions().ownColumns(concatenatedConfig()) == 16);
  CHECK(concatenatedPositions().ownColumns(concatenatedConfig(6)) == 6);
  CHECK(concatenatedPositions().ownColumns(concatenatedConfig(100)) == 16);
  ModelConfig narrow = concatenatedConfig();
  narrow.width = 8;
  CHECK(concatenatedPositions().ownColumns(narrow) == 4);
  CHECK(concatenatedPositions().table(narrow)->view().extent[1] == 8);
}

// Of two tokens in one place the position's columns are the same, of one token in two places the token's.
TEST_CASE("moved tokens keep their columns and places keep theirs") {
  const auto model = makeModel(concatenatedConfig());
  const auto there = LivePass(model, 1).run(std::vector{3, 9, 4}),
             moved = LivePass(model, 1).run(std::vector{9, 3, 4});
  const TensorView a = (*there)["blocks.0.hook_resid_pre"], b = (*moved)["blocks.0.hook_resid_pre"];
  for (int d = 0; d < 16; ++d) CHECK(a(0, d) == b(1, d));
  for (int d = 16; d < 32; ++d) CHECK(a(0, d) == b(0, d));
}
