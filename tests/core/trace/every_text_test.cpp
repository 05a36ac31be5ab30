#include "core/trace/every_text.h"

#include <catch2/catch_test_macros.hpp>

#include "tests/core/model/family_members.h"

using namespace glassformer;

TEST_CASE("an intervention at a token's place or with a text's numbers is of that text alone") {
  constexpr int every = Intervention::every;
  const std::string pattern = "blocks.0.attn.hook_pattern", mlp = "blocks.0.hook_mlp_out";
  const auto numbers = std::make_shared<const Tensor>(Tensor({2, 2}));
  const Intervention head{pattern, InterventionKind::Zero, {1, every, every, every}},
      neuron{mlp, InterventionKind::Scale, {every, 3, every, every}, 2},
      row{pattern, InterventionKind::Zero, {1, 2, every, every}},
      column{pattern, InterventionKind::Zero, {1, every, 2, every}},
      token{mlp, InterventionKind::Zero, {2, every, every, every}},
      taken{pattern, InterventionKind::Replace, {1, every, every, every}, 0, numbers};
  LivePass live(makeModel(smallConfig()), 1);
  const auto trace = live.run(std::vector{1, 2, 3});
  CHECK(ofEveryText({head, row, neuron, column, token, taken}, *trace) == Interventions{head, neuron});
}
