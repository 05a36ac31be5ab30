#include "app/cli/interventions_option.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "app/document/switches.h"
#include "app/engine/open_run.h"
#include "app/engine/pattern_rules.h"
#include "app/engine/planned_run.h"
#include "core/io/checkpoint.h"
#include "core/io/model_directory.h"
#include "core/lens/patching.h"
#include "core/model/live_pass.h"
#include "tests/app/engine/short_run.h"
#include "tests/core/io/temporary_folder.h"
#include "tests/core/model/family_members.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

ModelConfig threeBlocks() {
  ModelConfig config;
  config.layers = 3, config.heads = 4, config.width = 32, config.context = 64;
  return config;
}

std::shared_ptr<const Transformer> modelOfThreeBlocks() {
  static const auto model = makeModel(threeBlocks());
  return model;
}

Intervention only(const std::string& words) {
  const auto all = InterventionOptions{.changes = {words}}.of(modelOfThreeBlocks());
  INFO(words << ": " << (all ? "" : all.error().message()));
  REQUIRE(all);
  REQUIRE(all->size() == 1);
  return all->front();
}

std::string refused(const std::string& words) {
  const auto all = InterventionOptions{.changes = {words}}.of(modelOfThreeBlocks());
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
  CHECK(only("L2H3 zero") == zeroAblation({.kind = ModelPart::Kind::Head, .layer = 2, .head = 3}));
  CHECK(only("L2H3 argmax") == hardened({2, 3}));
}

TEST_CASE(
    "a part and neurons are held at their mean over the text that is read, behind what is written first") {
  const auto model = modelOfThreeBlocks();
  LivePass live(model);
  const std::vector<int> tokens{3, 5, 4, 9, 5}, others{7, 2, 8};
  for (const auto& [words, part] :
       {std::pair("L2H3 mean", zeroAblation({.kind = ModelPart::Kind::Head, .layer = 2, .head = 3})),
        std::pair("L1 mlp mean", zeroAblation({.kind = ModelPart::Kind::Mlp, .layer = 1})),
        std::pair("MLP of block 1 mean", zeroAblation({.kind = ModelPart::Kind::Mlp, .layer = 1})),
        std::pair("blocks.1.mlp.hook_post[*, 44] mean",
                  Intervention{.point = "blocks.1.mlp.hook_post", .index = {-1, 44, -1, -1}})}) {
    INFO(words);
    const Intervention mean = only(words);
    for (const std::vector<int>& text : {tokens, others}) {
      const auto whole = live.run(text), held = live.run(text, {mean}),
                 expected = live.run(text, {heldAtMean(*whole, part)});
      CHECK((*held)["logits"].copy() == (*expected)["logits"].copy());
      CHECK((*held)["logits"].copy() != (*whole)["logits"].copy());
      CHECK((*live.run(text, withMeansOf({mean}, {text, {}})))["logits"].copy() ==
            (*expected)["logits"].copy());
    }
  }
  // The mean is that of the pass with what is written before it.
  const auto both = InterventionOptions{.off = {"L0H0"}, .changes = {"L2H3 mean"}}.of(model);
  REQUIRE(both);
  const Interventions off{zeroAblation({.kind = ModelPart::Kind::Head, .layer = 0, .head = 0})};
  const Intervention own = heldAtMean(*live.run(tokens, off),
                                      zeroAblation({.kind = ModelPart::Kind::Head, .layer = 2, .head = 3}));
  CHECK((*live.run(tokens, *both))["logits"].copy() ==
        (*live.run(tokens, withOneMore(off, own)))["logits"].copy());
  CHECK_THAT(refused("blocks.1.mlp.hook_post[2, 44] mean"), ContainsSubstring("every token"));
  CHECK_THAT(refused("blocks.1.attn.hook_pattern[2, *, *] mean"), ContainsSubstring("every token"));
  CHECK_THAT(refused("L9 MLP mean"), ContainsSubstring("the model has no"));
}

TEST_CASE("what cannot be changed so is said with what there is") {
  CHECK_THAT(refused("L9H9 zero"),
             ContainsSubstring("the model has no \"L9H9\"") && ContainsSubstring("L0H0"));
  CHECK_THAT(refused("MLP of block 0 argmax"), ContainsSubstring("only heads"));
  CHECK_THAT(refused("L2H3 explode"), ContainsSubstring("scale NUMBER, add NUMBER"));
  CHECK_THAT(refused("L2H3 scale"), ContainsSubstring("does nothing"));
  CHECK_THAT(refused("L2H3 scale 11"), ContainsSubstring("from -10 to 10"));
  CHECK_THAT(refused("L2H3 scale nan"), ContainsSubstring("not a gain"));
  CHECK_THAT(refused("nosuch[1] zero"), ContainsSubstring("the pass has no"));
  CHECK_THAT(refused("logits[1] zero"), ContainsSubstring("2 dimensions"));
  CHECK_THAT(refused("blocks.1.attn.hook_pattern[4, 0, 0] zero"), ContainsSubstring("outside"));
  CHECK_THAT(refused("blocks.1.attn.hook_pattern[1, x] zero"), ContainsSubstring("POINT[INDEX]"));
}

namespace {

// What `train --out` writes while a run like that of shortPlan() is at a step.
void writeCheckpointOf(const TrainingPlan& plan, int step, const fs::path& folder) {
  const auto run = planned(plan);
  REQUIRE(run);
  TrainingRun training(run->task, run->recipes.front(), 1);
  while (training.step() < step) training.advance();
  fs::create_directories(folder);
  REQUIRE(
      writeCheckpoint(folder / trainingCheckpointFile, training.trainer(), training.recipe().description()));
}

}  // namespace

TEST_CASE("a part is held as a kept run had it, as a checkpoint has it, and as a training ended with it") {
  const TemporaryFolder folder;
  {
    Training training(shortRunsIn(folder / "runs"));
    training.begin(shortPlan());
    training.finish();
  }
  const fs::path kept = fs::directory_iterator(folder / "runs")->path();
  const auto run = OpenRun::open("", kept, {.threads = 1, .budget = std::size_t{8} << 20});
  REQUIRE(run);
  while (!(*run)->finished()) (*run)->advanceAll();
  (*run)->save();
  (*run)->writeModels();
  const RunVariant side = (*run)->report("", false).side;
  const ModelConfig config = side.modelAt(-1)->config();
  const int step = side.weights->stepAt(4), last = side.weights->stepAt(std::numeric_limits<int>::max());
  REQUIRE(last == 12);
  const auto of = [&](const std::string& words) {
    return InterventionOptions{.changes = {words}}.of(side.modelAt(-1));
  };
  const std::vector<int> tokens{3, 5, 4};
  const auto headOf = [](const Trace& trace, int head) {
    return trace["blocks.0.attn.hook_z"][2][head].copy();
  };
  const auto now = LivePass(side.modelAt(-1)).run(tokens);
  const fs::path checkpoint = folder / "at 4", ended = OpenRun::trainedModelIn(kept);
  writeCheckpointOf(shortPlan(), step, checkpoint);
  for (const auto& [from, of4] : {std::pair{kept.string() + "@" + std::to_string(step), true},
                                  {checkpoint.string() + "@" + std::to_string(step), true},
                                  {checkpoint.string(), true},
                                  {kept.string(), false},
                                  {ended.string() + "@12", false},
                                  {ended.string(), false}}) {
    const auto held = of("L0H1 as " + from);
    INFO(from << ": " << (held ? "" : held.error().message()));
    REQUIRE(held);
    const int itsStep = of4 ? step : last;
    CHECK(held->front().step == itsStep);
    CHECK(placeWords(held->front()) == "head L0H1 as at step " + std::to_string(itsStep));
    const auto then = LivePass(side.modelAt(itsStep)).run(tokens),
               with = LivePass(side.modelAt(-1)).run(tokens, *held);
    CHECK(headOf(*with, 1) == headOf(*then, 1));
    CHECK((headOf(*with, 1) != headOf(*now, 1)) == of4);
    CHECK(headOf(*with, 0) == headOf(*now, 0));
  }
  const auto refusal = [&](const std::string& words) {
    const auto held = of("L0H1 as " + words);
    REQUIRE_FALSE(held);
    return held.error().message();
  };
  CHECK_THAT(refusal(kept.string() + "@x"), ContainsSubstring("\"x\" is not a step"));
  CHECK_THAT(refusal(kept.string() + "@99"),
             ContainsSubstring("keeps no weights of step 99") && ContainsSubstring("are of step 12"));
  CHECK_THAT(refusal(checkpoint.string() + "@5"),
             ContainsSubstring("no weights of step 5") && ContainsSubstring("there are those at step 4"));
  CHECK_THAT(refusal(folder.path().string() + "@4"),
             ContainsSubstring("contains neither") && ContainsSubstring("train --out"));
  CHECK_THAT(refusal((folder / "nowhere").string()), ContainsSubstring("nowhere"));
  CHECK_THAT(refusal(SOURCE_FOLDER "/assets/models/sort"), ContainsSubstring("another shape"));
  fs::remove(ended / cardFile);
  CHECK_THAT(refusal(ended.string()), ContainsSubstring("without a training step"));
}
