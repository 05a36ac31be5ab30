#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "app/document/strategies_settings.h"
#include "app/engine/model_library.h"
#include "app/engine/strategies.h"
#include "core/decode/candidates.h"
#include "core/decode/sampling.h"
#include "core/decode/sampling_chain.h"
#include "core/decode/temperature.h"
#include "core/decode/top_k.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

namespace {

Workspace showing(const char* view, bool dark = true) {
  Workspace workspace = initialWorkspace();
  workspace.view = view;
  workspace.look.dark = dark;
  return workspace;
}

// A node of the last depth, other than the best.
int lastNode(const BeamTree& tree) {
  for (int i = static_cast<int>(tree.nodes.size()) - 1; i > 0; --i)
    if (tree.nodes[static_cast<std::size_t>(i)].state == BeamState::Kept && i != tree.best) return i;
  return -1;
}

}  // namespace

TEST_CASE("the next token is shown with its distribution, and a click on one appends it") {
  UiDriver ui({.width = 1280, .height = 720, .workspace = showing("next_token")});
  ui.screenshot("next_token_1280");
  const std::string before = ui.workspace().text;
  const int position = ui.snapshot().pass->trace->tokenCount() - 1;
  const Candidates candidates = candidatesOf((*ui.snapshot().pass->trace)["logits"][position].copy());
  const int second = candidates[1].token;
  ui.click("next " + ui.snapshot().model->entryLabel(second));
  CHECK(ui.workspace().text == before + ui.snapshot().model->bytesOf(std::span(&second, 1)));
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK(ui.workspace().text == before);
}

TEST_CASE("the next token is shown large and light as well") {
  UiDriver ui({.width = 1920, .height = 1080, .workspace = showing("next_token", false)});
  ui.hover("entropy");
  CHECK(ui.app().hover().cell.tensor == "lens.next_token_entropy");
  ui.screenshot("next_token_1920_light");
}

TEST_CASE("selecting a token moves the next-token view there") {
  UiDriver ui({.workspace = showing("next_token")});
  const auto before = ui.snapshot().pass->measurements;
  ui.click("token 8");
  CHECK(ui.workspace().selection.query == 8);
  const TensorView lens = (*ui.snapshot().pass->measurements)["lens.next_token"];
  const Candidates wanted = candidatesOf((*ui.snapshot().pass->trace)["logits"][8].copy());
  CHECK(lens(lens.extent[0] - 1, wanted.front().token) ==
        Approx(static_cast<float>(wanted.front().probability)).margin(1e-5));
  CHECK(ui.snapshot().pass->measurements != before);
  ui.screenshot("next_token_selected");
}

TEST_CASE("a click on a node of the beam tree puts its text into the input, and undo takes it back") {
  UiDriver ui({.workspace = showing("beam")});
  REQUIRE(ui.snapshot().decoded->beam);
  ui.screenshot("beam_1280");
  const std::string before = ui.workspace().text;
  const int node = lastNode(*ui.snapshot().decoded->beam);
  REQUIRE(node > 0);
  const std::string added = ui.snapshot().model->bytesOf(ui.snapshot().decoded->beam->path(node));
  ui.click("beam " + std::to_string(node));
  CHECK(ui.workspace().text == before + added);
  CHECK(ui.snapshot().decoded->text == ui.workspace().text);
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK(ui.workspace().text == before);
}

TEST_CASE("width, depth and length penalty of the tree are edited above it") {
  UiDriver ui({.width = 1920, .height = 1080, .workspace = showing("beam")});
  ui.click("Stage/more##Beams");
  ui.click("Stage/less##Depth");
  ui.click("Stage/more##Length penalty");
  CHECK(ui.workspace().decoding.beamWidth == 4);
  CHECK(ui.workspace().decoding.depth == 5);
  CHECK(ui.workspace().decoding.lengthPenalty == Approx(0.1f));
  int deepest = 0, kept = 0;
  for (const BeamNode& node : ui.snapshot().decoded->beam->nodes) deepest = std::max(deepest, node.depth);
  for (const BeamNode& node : ui.snapshot().decoded->beam->nodes)
    kept += node.depth == deepest && node.state != BeamState::Pruned;
  CHECK(deepest == 5);
  CHECK(kept == 4);
  // Clicks less than a second apart are one step; a busy machine makes more of them.
  for (int i = 0; i < 3 && ui.app().history().canUndo(); ++i) ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK(ui.workspace().decoding == Decoding{});
  ui.click("Stage/more##Pruned");
  CHECK(ui.workspace().settings.prunedShown == 3);
  CHECK_FALSE(ui.app().history().canUndo());
}

TEST_CASE("a wide and deep tree is readable in a large window") {
  Workspace workspace = showing("beam");
  workspace.decoding.beamWidth = 8, workspace.decoding.depth = 12;
  UiDriver ui({.width = 1920, .height = 1080, .workspace = workspace});
  ui.screenshot("beam_8x12_1920");
  ui.click("Toggle theme");
  ui.screenshot("beam_8x12_1920_light");
}

TEST_CASE("pointing at a pruned branch says what beat it") {
  UiDriver ui({.width = 1920, .height = 1080, .workspace = showing("beam", false)});
  const BeamTree& tree = *ui.snapshot().decoded->beam;
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    if (tree.nodes[i].state != BeamState::Pruned || !ui.exists("beam " + std::to_string(i))) continue;
    ui.hover("beam " + std::to_string(i));
    CHECK(ui.app().hover().node == static_cast<int>(i));
    CHECK_THAT(ui.app().hover().text, ContainsSubstring("beaten by “"));
    CHECK(ui.app().hover().cell.tensor == "beam.probability");
    break;
  }
  ui.screenshot("beam_1920_light_pruned");
}

TEST_CASE("Step appends the most probable token, Complete the best hypothesis") {
  UiDriver ui;
  const std::string before = ui.workspace().text;
  const Candidates candidates = candidatesOf(
      (*ui.snapshot().pass->trace)["logits"][ui.snapshot().pass->trace->tokenCount() - 1].copy());
  ui.click("Add token");
  const int token = candidates.front().token;
  const std::string stepped = before + ui.snapshot().model->bytesOf(std::span(&token, 1));
  CHECK(ui.workspace().text == stepped);
  const std::string rest =
      ui.snapshot().model->bytesOf(ui.snapshot().decoded->beam->path(ui.snapshot().decoded->beam->best));
  ui.click("Generate");
  CHECK(ui.workspace().text == stepped + rest);
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK(ui.workspace().text == before);
}

TEST_CASE("greedy decoding is a strip of the most probable tokens; a click accepts up to there") {
  UiDriver ui;
  ui.click("Greedy");
  CHECK(ui.workspace().decoding.strategy == DecodingStrategy::Greedy);
  const std::vector<int> next = ui.snapshot().decoded->continuation;
  REQUIRE(next.size() == 6);
  const Candidates candidates = candidatesOf(
      (*ui.snapshot().pass->trace)["logits"][ui.snapshot().pass->trace->tokenCount() - 1].copy());
  CHECK(next.front() == candidates.front().token);
  CHECK((*ui.snapshot().decoded->continuationMeasurements)["continuation.probability"](0) ==
        Approx(static_cast<float>(candidates.front().probability)));
  const std::string before = ui.workspace().text;
  const std::string added = ui.snapshot().model->bytesOf(std::span(next).first(3));
  ui.hover("next token 2");
  ui.screenshot("timeline_greedy");
  ui.click("next token 2");
  CHECK(ui.workspace().text == before + added);
}

TEST_CASE("sampling follows its seed, and its settings are edited in place") {
  UiDriver ui;
  ui.click("Sampling");
  const std::vector<int> first = ui.snapshot().decoded->continuation;
  REQUIRE(first.size() == 6);
  ui.click("more##Seed");
  CHECK(ui.workspace().decoding.seed == 2);
  CHECK(ui.snapshot().decoded->continuation != first);
  ui.screenshot("timeline_sampling");
  ui.click("less##Seed");
  CHECK(ui.snapshot().decoded->continuation == first);
  ui.click("more##Top-k");
  CHECK(ui.workspace().decoding.stages.of(topKStage) == 1);
  const std::vector<int> narrowed = ui.snapshot().decoded->continuation;
  ui.click("Greedy");
  CHECK(ui.snapshot().decoded->continuation == narrowed);  // one candidate left is greedy
}

TEST_CASE("the timeline of a text that fills the context says that nothing fits") {
  Workspace workspace = initialWorkspace();
  for (int i = 0; i < 8; ++i) workspace.text += " The street was too wide for the animal.";
  UiDriver ui({.workspace = workspace});
  REQUIRE(static_cast<int>(ui.snapshot().pass->tokens.size()) > ui.snapshot().model->config->context);
  CHECK(ui.find("Add token").disabled);
  CHECK(ui.find("Generate").disabled);
  ui.screenshot("timeline_full");
}

TEST_CASE("the inspector shows a share of attention with its operands") {
  UiDriver ui({.width = 1920, .height = 1080});
  for (int i = 0; i < 9; ++i) ui.press(ImGuiKey_RightArrow);
  ui.hover("step tensor", 0.31f, 0.62f);
  ui.screenshot("inspector_pattern");
  ui.press(ImGuiKey_LeftArrow);
  ui.press(ImGuiKey_LeftArrow);
  ui.hover("step tensor", 0.3f, 0.6f);
  ui.screenshot("inspector_score");
}

TEST_CASE("undo says which setting of decoding was changed") {
  UiDriver ui;
  const auto last = [&] { return ui.app().history().stateName(ui.app().history().state()); };
  ui.click("Sampling");
  CHECK(last() == "sampling");
  ui.click("less##Temperature");
  ui.click("less##Temperature");
  CHECK(last() == "temperature 0.8");
  // Presses in a row are one step, however many.
  for (int i = 0; i < 8; ++i) ui.click("less##Top-p");
  CHECK(last() == "top-p 0.60");
  ui.click("more##Temperature");
  CHECK(last() == "temperature 0.9");
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK(last() == "top-p 0.60");
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK(last() == "temperature 0.8");
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK(last() == "sampling");
  ui.press(ImGuiKey_H, ImGuiMod_Ctrl);
  ui.screenshot("history_decoding");
}

TEST_CASE("the inspector forgets a number when another view opens") {
  UiDriver ui({.width = 1920, .height = 1080});
  ui.hover("attention", 0.05f, 0.9f);
  const auto says = [&](const std::string& words) {
    bool found = false;
    ui.app().painter().keepTexts(true);
    ui.frames(1);
    for (const DrawnText& text : ui.app().painter().texts())
      found |= text.text.find(words) != std::string::npos;
    ui.app().painter().keepTexts(false);
    return found;
  };
  CHECK(says("blocks.0.attn.hook_pattern"));
  ui.click("Residual");
  CHECK_FALSE(says("blocks.0.attn.hook_pattern"));
  CHECK(says("Point at a number"));
}

TEST_CASE("sampling is shown stage by stage, each switched by a click, down to the draw") {
  for (const auto& [width, height, dark] : usualLooks) {
    UiDriver::Options options;
    options.width = width, options.height = height;
    options.workspace.look.dark = dark;
    options.workspace.view = "next_token";
    options.workspace.decoding.strategy = DecodingStrategy::Sampling;
    options.loader = storiesModel;
    options.workspace.text = "The old";
    UiDriver ui(options);
    ui.click("Stage/Sampling");
    const auto& numbers = [&]() -> const StageNumbers& { return ui.workspace().decoding.stages; };
    const auto stageAt = [&](std::string_view id) {  // 0: the model
      const TensorView order = (*ui.snapshot().pass->measurements)[chain::stage];
      for (int g = 1; g < order.extent[0]; ++g)
        if (samplingStages()[static_cast<std::size_t>(order(g)) - 1].id == id) return g;
      return 0;
    };
    const auto left = [&](std::string_view id) {
      const int stage = stageAt(id);
      const TensorView before = (*ui.snapshot().pass->measurements)[chain::before];
      int count = 0;
      for (int v = 0; v < before.extent[1]; ++v) count += std::isfinite(before(stage, v));
      return count;
    };
    const int all = left("");
    ui.screenshot("sampling_off_" + std::to_string(width) + (dark ? "_dark" : "_light"));
    for (const SamplingStage& stage : samplingStages()) {
      CHECK(numbers().of(stage) == stage.off);
      ui.click("stage " + std::string(stage.id));
      CHECK(numbers().of(stage) == stage.usual);
    }
    CHECK(left("") == all);
    CHECK(left("temperature") == all);
    CHECK(left("top-k") == 5);
    CHECK(left("min-p") <= left("top-p"));
    CHECK(left("typical") <= left("min-p"));
    const int drawn = static_cast<int>((*ui.snapshot().pass->measurements)[chain::drawn](0));
    CHECK(ui.snapshot().decoded->continuation.front() == drawn);
    ui.hover("the draw");
    CHECK(ui.tooltip().find("of seed 1 draws") != std::string::npos);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("sampling_" + std::to_string(width) + (dark ? "_dark" : "_light"));
    ui.click("stage top-k");
    CHECK(numbers().of(*findSamplingStage("top-k")) == 0);
    ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
    CHECK(left("top-k") == 5);
    // Dragged in front of all others it acts first; the keyboard brings it back.
    const ItemRecord first = ui.find("stage repetition-penalty"), last = ui.find("stage typical");
    ui.drag("stage typical", first.min.x - last.max.x, 0);
    CHECK(stageAt("typical") == 1);
    CHECK(numbers().order().front() == "typical");
    CHECK(ui.layoutFaults() == "");
    ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
    CHECK(numbers().order().empty());
    CHECK(stageAt("typical") == 8);
  }
}

TEST_CASE("a beam that is too narrow for the best continuation is said to have missed it") {
  UiDriver::Options options;
  options.workspace.view = "next_token", options.workspace.settings.pictures["next_token"] = "strategies";
  options.workspace.decoding.beamWidth = 1;
  options.loader = storiesModel;
  options.workspace.text = "One day";
  UiDriver ui(options);
  CHECK_THAT(ui.texts(), ContainsSubstring("the beam missed it"));
  ui.click("more##Beams");
  CHECK_THAT(ui.texts(), ContainsSubstring("the beam found it"));
}

TEST_CASE("strategies stand side by side, and a click goes on by one, or by the seed of a sample") {
  for (const auto& [width, height, dark] : usualLooks)
    for (const int depth : {6, 40}) {
      UiDriver::Options options;
      options.width = width, options.height = height;
      options.workspace.look.dark = dark;
      options.workspace.view = "next_token";
      options.workspace.decoding.depth = depth;
      options.loader = storiesModel;
      options.workspace.text = "The old dog";
      UiDriver ui(options);
      ui.click("Stage/Strategies");
      REQUIRE(ui.snapshot().kept.measured);
      CHECK((*ui.snapshot().kept.measured)[strategies::found](0) == fewSamples);
      CHECK(ui.layoutFaults() == "");
      ui.screenshot("strategies_" + std::to_string(depth) + "_" + std::to_string(width) +
                    (dark ? "_dark" : "_light"));
      CHECK_THAT(ui.texts(), ContainsSubstring(depth > 6 ? "not proved" : "the beam found it"));
      if (depth > 6 || width > 1280) continue;
      ui.hover("strategy exact");
      CHECK_THAT(ui.tooltip(), ContainsSubstring("proved with "));
      ui.click("Stage/1000");
      CHECK((*ui.snapshot().kept.measured)[strategies::found](0) == manySamples);
      CHECK(ui.layoutFaults() == "");
      ui.click("strategy greedy");
      CHECK(ui.workspace().decoding.strategy == DecodingStrategy::Greedy);
      const auto seed = 1 + static_cast<std::uint64_t>((*ui.snapshot().kept.measured)[strategies::first](1));
      const int first = static_cast<int>((*ui.snapshot().kept.measured)[strategies::sampled](1, 0));
      ui.click("sample 1");
      CHECK(ui.workspace().decoding.strategy == DecodingStrategy::Sampling);
      CHECK(ui.workspace().decoding.seed == seed);
      CHECK(ui.snapshot().decoded->continuation.front() == first);
      ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
      CHECK(ui.workspace().decoding.strategy == DecodingStrategy::Greedy);
    }
}

TEST_CASE("logits stand beside the probabilities in every size and theme, and a click on one appends it") {
  for (const auto& [width, height, dark] : usualLooks) {
    UiDriver::Options options{.width = width, .height = height, .workspace = showing("next_token", dark)};
    options.workspace.look.followsSystem = false;
    options.loader = storiesModel;
    UiDriver ui(options);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("logits_" + std::to_string(width) + (dark ? "_dark" : "_light"));
    const int best =
        candidatesOf(
            (*ui.snapshot().pass->trace)["logits"][ui.snapshot().pass->trace->tokenCount() - 1].copy())[0]
            .token;
    const std::string before = ui.workspace().text;
    ui.click("logit " + ui.snapshot().model->entryLabel(best));
    CHECK(ui.workspace().text == before + ui.snapshot().model->bytesOf(std::span(&best, 1)));
  }
}
