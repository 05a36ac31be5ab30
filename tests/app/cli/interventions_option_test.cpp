#include "app/cli/interventions_option.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "app/document/switches.h"
#include "app/engine/open_run.h"
#include "core/model/live_pass.h"
#include "tests/app/engine/short_run.h"
#include "tests/core/io/temporary_folder.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

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

TEST_CASE("a part is held as it was after a step of a kept run, as in the window") {
  const TemporaryFolder folder;
  {
    Training training(shortRunsIn(folder.path()));
    training.begin(shortPlan());
    training.finish();
  }
  const fs::path kept = fs::directory_iterator(folder.path())->path();
  const auto run = OpenRun::open("", kept, {.threads = 1, .budget = std::size_t{8} << 20});
  REQUIRE(run);
  const RunSide side = (*run)->report("", false).side;
  const ModelConfig config = side.modelAt(-1)->config();
  const int step = side.weights->stepAt(4);
  const auto of = [&](const std::string& words) {
    return InterventionOptions{.changes = {words}}.of(config);
  };
  const auto held = of("L0H1 as " + kept.string() + "@" + std::to_string(step));
  INFO((held ? "" : held.error().message()));
  REQUIRE(held);
  CHECK(held->front().step == step);
  CHECK(placeWords(held->front()) == "head L0H1 as at step " + std::to_string(step));
  const std::vector<int> tokens{3, 5, 4};
  const auto then = LivePass(side.modelAt(step)).run(tokens), now = LivePass(side.modelAt(-1)).run(tokens),
             with = LivePass(side.modelAt(-1)).run(tokens, *held);
  const auto headOf = [](const Trace& trace, int head) {
    return trace["blocks.0.attn.hook_z"][2][head].copy();
  };
  CHECK(headOf(*with, 1) == headOf(*then, 1));
  CHECK(headOf(*with, 1) != headOf(*now, 1));
  CHECK(headOf(*with, 0) == headOf(*now, 0));
  const auto refusal = [&](const std::string& words) { return of(words).error().message(); };
  CHECK_THAT(refusal("L0H1 as " + kept.string()), ContainsSubstring("names no step"));
  CHECK_THAT(refusal("L0H1 as " + kept.string() + "@x"), ContainsSubstring("no weights of step"));
  CHECK_THAT(refusal("L0H1 as " + folder.path().string() + "@4"), ContainsSubstring("holds no run"));
}
