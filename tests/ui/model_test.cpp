#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "app/document/session.h"
#include "app/document/steps.h"
#include "app/panels/model_panel.h"
#include "core/model/choices.h"
#include "core/model/pass_limit.h"
#include "tests/core/io/temporary_folder.h"
#include "tests/small_model.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("the choices of the model are changed in its panel, seen beside the model as loaded, and undone") {
  for (const bool dark : {true, false}) {
    UiDriver::Options options;
    options.width = dark ? 1920 : 1280, options.height = dark ? 1080 : 720;
    options.workspace.look.dark = dark;
    UiDriver ui(options);
    ui.press(ImGuiKey_M, ImGuiMod_Shift);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot(dark ? "model_panel_dark" : "model_panel_light");

    ui.click("Attention##section");
    ui.click("Attention mask##fieldmask");
    ui.click("Sliding window##maskwindow");
    REQUIRE(ui.snapshot().model->config->mask.kind == MaskKind::Window);
    CHECK(ui.snapshot().model->freshValues == 0);
    CHECK((*ui.snapshot().pass->trace)["blocks.0.attn.hook_pattern"](0, 5, 0) == 0);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot(dark ? "model_panel_mask_dark" : "model_panel_mask_light");

    ui.click("Block##section");
    ui.click("MLP activation##fieldactivation_function");
    ui.click("SwiGLU##activation_functionswiglu");
    CHECK(ui.snapshot().model->config->activation == Activation::SwiGlu);
    CHECK(ui.snapshot().model->freshValues > 0);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot(dark ? "model_panel_fresh_dark" : "model_panel_fresh_light");
    ui.click("GELU (tanh)##activation_functiongelu_new");
    CHECK(ui.workspace().changes.size() == 1);

    ui.click("Compare##model");
    CHECK(ui.workspace().comparison.with == Comparison::asLoaded);
    ui.press(ImGuiKey_Escape);
    REQUIRE(ui.snapshot().other);
    CHECK(ui.snapshot().other->model->config->mask.kind == MaskKind::Causal);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot(dark ? "model_compared_dark" : "model_compared_light");
    ui.press(ImGuiKey_D);
    REQUIRE(ui.snapshot().difference);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot(dark ? "model_difference_dark" : "model_difference_light");

    ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
    ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
    ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
    CHECK(ui.workspace().changes.empty());
    CHECK(ui.snapshot().model->config == ui.snapshot().model->loadedConfig);
    CHECK_FALSE(ui.workspace().comparison.isOn());
  }
}

TEST_CASE(
    "norms behind sublayers and a soft cap are chosen in the panel, gone through step by step, and undone") {
  for (const bool dark : {true, false}) {
    UiDriver::Options options;
    options.width = dark ? 1280 : 1920, options.height = dark ? 720 : 1080;
    options.workspace.look.dark = dark;
    UiDriver ui(options);
    ui.press(ImGuiKey_M, ImGuiMod_Shift);
    ui.click("Block##section");
    ui.click("Norm placement##fieldnorm_placement");
    ui.click("Sandwich##norm_placementsandwich");
    CHECK(ui.snapshot().model->config->hasSandwichNorm());
    CHECK(ui.snapshot().model->freshValues > 0);
    ui.click("Attention##section");
    ui.click("Score soft-cap##fieldattn_logit_softcapping");
    CHECK(ui.layoutFaults() == "");
    ui.screenshot(dark ? "model_soft_cap_dark" : "model_soft_cap_light");
    ui.click("5##attn_logit_softcapping5");
    CHECK(ui.snapshot().model->config->scoreCap == 5);
    ui.press(ImGuiKey_Escape);
    ui.hover("Stage view", 0.01f, 0.97f);
    const auto steps = stepsOf(*ui.snapshot().model->transformer);
    for (const char* title : {"Soft-capped scores", "Post-sublayer norm"}) {
      const auto isIt = [&] { return steps[static_cast<std::size_t>(ui.step())].title == title; };
      for (std::size_t i = 0; i < steps.size() && !isIt(); ++i) ui.press(ImGuiKey_RightArrow);
      CHECK(isIt());
      CHECK(ui.layoutFaults() == "");
      ui.screenshot("model_step_" + std::string(title) + (dark ? "_dark" : "_light"));
    }
    ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
    ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  }
}

TEST_CASE("what passes take is said, and whether scores and patterns are recomputed") {
  CHECK(memoryWords({81e6, 100e6, true}) == "Passes take 81 MB; scores and patterns are recomputed.");
  CHECK(memoryWords({181e6, 200e6, false}) == "Passes take 181 MB; all activations are kept.");
}

TEST_CASE("the memory limit is set at the foot of the model's choices; beyond it squares are made again") {
  const TemporaryFolder folder;
  UiDriver::Options options;
  options.session = folder / "session.json";
  options.loader = [](const std::string& name, const ProgressCallback&) -> Result<LoadedModel> {
    return makeSmallModel(name, 6, 12, 512);
  };
  options.workspace.decoding.depth = 2;
  options.workspace.text.clear();
  while (options.workspace.text.size() < 1500) options.workspace.text += "The animal was tired. ";
  constexpr const char *pattern = "blocks.5.attn.hook_pattern", *field = "Model/number##Memory limit, GB";
  {
    UiDriver ui(options);
    REQUIRE_FALSE(ui.snapshot().memory.dropsSquares);
    const double whole = ui.snapshot().memory.taken;
    const auto kept = ui.snapshot().pass;
    ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
    ui.type("gigabytes");
    ui.click("Palette/Set memory limit…");
    ui.type("0.01");  // the number is being typed
    ui.press(ImGuiKey_Enter);
    CHECK_THAT(ui.texts(), ContainsSubstring("a number from 0.1 to 1000"));
    CHECK(ui.workspace().machine.memory == 0);
    ui.press(ImGuiKey_Escape);
    ui.click(field);
    ui.type("0.1");
    ui.press(ImGuiKey_Enter);
    CHECK(ui.workspace().machine.memory == 0.1f);
    CHECK(ui.snapshot().memory.dropsSquares);
    CHECK(ui.snapshot().memory.taken < whole);
    CHECK((*ui.snapshot().pass->trace)[pattern].copy() == (*kept->trace)[pattern].copy());
    ui.press(ImGuiKey_Escape);
    ui.inEveryLook([&](const std::string& look) {
      ui.press(ImGuiKey_M, ImGuiMod_Shift);
      CHECK_THAT(ui.texts(), ContainsSubstring("; scores and patterns are recomputed."));
      CHECK(ui.layoutFaults() == "");
      ui.screenshot("model_memory_" + look);
      ui.press(ImGuiKey_Escape);
    });
    ui.press(ImGuiKey_M, ImGuiMod_Shift);
    ui.click(field);
    ui.type("3.5");
    ui.press(ImGuiKey_Enter);
    CHECK_THAT(ui.texts(), ContainsSubstring("; all activations are kept."));
    CHECK_FALSE(ui.snapshot().memory.dropsSquares);
    CHECK(ui.snapshot().memory.limit == 3.5e9);
  }
  CHECK(restoreSession(options.session).workspace.machine.memory == 3.5f);
  setPassLimit(usualPassLimit());
}

TEST_CASE("every option of every choice can be taken, or says why not, and every view still draws") {
  UiDriver::Options options;
  options.width = 1280, options.height = 720;
  UiDriver ui(options);
  for (const ConfigChoice& choice : configChoices()) {
    if (choice.id == "stack" || !choice.matters(*ui.snapshot().model->config)) continue;
    for (const ConfigOption& option : choice.options) {
      INFO(choice.id << " " << option.id);
      ui.press(ImGuiKey_M, ImGuiMod_Shift);
      ui.click(std::string(nameOf(choice.section)) + "##section");
      ui.click("Model/" + choice.name + "##field" + choice.id);
      ui.click("Model/" + option.name + "##" + choice.id + option.id);
      CHECK(ui.layoutFaults() == "");
      ui.press(ImGuiKey_Escape);
      CHECK(ui.snapshot().standing.error == "");
      CHECK(choice.options[static_cast<std::size_t>(choice.get(*ui.snapshot().model->config))].id ==
            option.id);
      for (const ImGuiKey view :
           {ImGuiKey_1, ImGuiKey_2, ImGuiKey_3, ImGuiKey_4, ImGuiKey_5, ImGuiKey_6, ImGuiKey_7, ImGuiKey_8})
        ui.press(view);
    }
    ui.press(ImGuiKey_M, ImGuiMod_Shift);
    if (ui.exists("Reset model##model")) ui.click("Reset model##model");
    ui.press(ImGuiKey_Escape);
    CHECK(ui.workspace().changes.empty());
  }
}
