#include "app/cli/interventions_option.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "app/document/switches.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

ModelConfig threeBlocks() {
  ModelConfig config;
  config.layers = 3, config.heads = 4, config.width = 32, config.context = 64;
  return config;
}

Intervention only(const std::string& words) {
  const auto all = InterventionOptions{.changes = {words}}.of(threeBlocks());
  INFO(words << ": " << (all ? "" : all.error().message()));
  REQUIRE(all);
  REQUIRE(all->size() == 1);
  return all->front();
}

std::string refused(const std::string& words) {
  const auto all = InterventionOptions{.changes = {words}}.of(threeBlocks());
  REQUIRE_FALSE(all);
  return all.error().message();
}

}  // namespace

TEST_CASE("every kind of intervention is written behind a part or cells, as the window's list has it, too") {
  for (const InterventionDescription& kind : interventionKinds()) {
    const std::string number = kind.takesNumber ? " 0.5" : "";
    const Intervention head = only(std::string("L2H3 ") + kind.id + number);
    CHECK(&described(head.kind) == &kind);
    CHECK(head.value == (kind.takesNumber ? 0.5f : 0.0f));
    CHECK(only(summaryOf(head)) == head);
    const Intervention cells = only(std::string("blocks.1.attn.hook_pattern[2, *, 0] ") + kind.sign + number);
    CHECK(cells.point == "blocks.1.attn.hook_pattern");
    CHECK(cells.index == std::array{2, -1, 0, -1});
    CHECK(&described(cells.kind) == &kind);
  }
  CHECK(only("L2H3 zero") == switchedOff({.kind = ModelPart::Kind::Head, .layer = 2, .head = 3}));
  CHECK(only("L2H3 argmax") == hardened({2, 3}));
}

TEST_CASE("what cannot be changed so is said with what there is") {
  CHECK_THAT(refused("L9H9 zero"),
             ContainsSubstring("the model has no \"L9H9\"") && ContainsSubstring("L0H0"));
  CHECK_THAT(refused("MLP of block 0 argmax"), ContainsSubstring("only heads"));
  CHECK_THAT(refused("L2H3 explode"), ContainsSubstring("scale NUMBER, add NUMBER"));
  CHECK_THAT(refused("L2H3 scale"), ContainsSubstring("does nothing"));
  CHECK_THAT(refused("L2H3 scale 11"), ContainsSubstring("from -10 to 10"));
  CHECK_THAT(refused("L2H3 scale nan"), ContainsSubstring("no gain"));
  CHECK_THAT(refused("nosuch[1] zero"), ContainsSubstring("the pass has no"));
  CHECK_THAT(refused("logits[1] zero"), ContainsSubstring("2 dimensions"));
  CHECK_THAT(refused("blocks.1.attn.hook_pattern[4, 0, 0] zero"), ContainsSubstring("outside"));
  CHECK_THAT(refused("blocks.1.attn.hook_pattern[1, x] zero"), ContainsSubstring("POINT[INDEX]"));
}
