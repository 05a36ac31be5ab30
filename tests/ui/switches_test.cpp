#include <catch2/catch_test_macros.hpp>

#include "app/document/intervention_list.h"
#include "app/document/switches.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;

TEST_CASE("a head is switched off by a key, shown as off, compared with on, and taken back") {
  for (const bool dark : {true, false}) {
    UiDriver::Options options;
    options.width = 1920, options.height = 1080;
    options.workspace.look.dark = dark;
    options.workspace.selection.layer = 1;
    UiDriver ui(options);
    ui.press(ImGuiKey_X);
    REQUIRE(ui.workspace().interventions.size() == 1);
    CHECK((*ui.snapshot().pass->trace)["blocks.1.attn.hook_z"](2, 0, 0) == 0);
    ui.hover("head 1.0");
    CHECK(ui.app().hover().text.find("ablated") != std::string::npos);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot(dark ? "switched_off_dark" : "switched_off_light");
    ui.press(ImGuiKey_D);  // with and without
    REQUIRE(ui.snapshot().difference);
    ui.press(ImGuiKey_3);
    CHECK(ui.layoutFaults().substr(0, 300) == "");
    ui.screenshot(dark ? "switched_off_difference_dark" : "switched_off_difference_light");
    ui.click("Remove##0");
    CHECK(ui.workspace().interventions.empty());
    ui.click("Undo");
    CHECK(ui.workspace().interventions.size() == 1);
  }
}

TEST_CASE("what is off becomes a gain, and any number that is pointed at can be changed") {
  for (const int width : {1920, 1280}) {
    UiDriver::Options options;
    options.width = width, options.height = width == 1920 ? 1080 : 720;
    options.workspace.selection.layer = 1;
    UiDriver ui(options);
    const float before = (*ui.snapshot().pass->trace)["blocks.1.attn.hook_z"](2, 0, 0);
    ui.press(ImGuiKey_X);
    ui.click("off##0");
    REQUIRE(ui.workspace().interventions[0].kind == InterventionKind::Scale);
    CHECK(std::abs((*ui.snapshot().pass->trace)["blocks.1.attn.hook_z"](2, 0, 0) - before / 2) < 1e-6f);
    ui.click("more##gain##0");
    CHECK(ui.workspace().interventions[0].value == 0.6f);
    CHECK(ui.layoutFaults() == "");
    ui.click("×##0");
    CHECK(ui.workspace().interventions[0].kind == InterventionKind::Add);
    ui.click("+##0");
    CHECK(ui.workspace().interventions[0].kind == InterventionKind::Replace);
    ui.click("=##0");
    CHECK(ui.workspace().interventions[0].kind == InterventionKind::Zero);
    ui.press(ImGuiKey_X);
    CHECK(ui.workspace().interventions.empty());

    ui.hover("attention", 0.3f, 0.7f);
    REQUIRE(ui.app().hover().cell.tensor.ends_with("hook_pattern"));
    const TensorRef cell = ui.app().hover().cell;
    const auto weights = [&] { return (*ui.snapshot().pass->trace)[cell.tensor]; };
    const float weight = weights().at(cell.index);
    ui.press(ImGuiKey_N);
    ui.type("0.75");
    ui.press(ImGuiKey_Enter);
    REQUIRE(ui.workspace().interventions.size() == 1);
    CHECK(ui.workspace().interventions[0].point == "blocks.1.attn.hook_attn_scores");
    CHECK(std::abs(weights().at(cell.index) - 0.75f) < 1e-4f);
    float sum = 0;
    for (int s = 0; s < weights().extent[2]; ++s) sum += weights()(cell.index[0], cell.index[1], s);
    CHECK(std::abs(sum - 1) < 1e-5f);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("number_changed_" + std::to_string(width));
    ui.click("more##Change it");
    CHECK(ui.workspace().interventions.size() == 1);
    CHECK(std::abs(weights().at(cell.index) - 0.76f) < 1e-4f);
    ui.click("Remove edit##why");
    CHECK(ui.workspace().interventions.empty());
    CHECK(weights().at(cell.index) == weight);
  }
}

TEST_CASE("any operand of a step can be typed over, its weights too, and is undone") {
  UiDriver::Options options;
  options.workspace.view = "step", options.workspace.selection.layer = 1;
  options.workspace.step = "blocks.1.attn.hook_q";
  UiDriver ui(options);
  const auto weights = [&] { return (*ui.snapshot().pass->trace->weights())["h.1.attn.c_attn.weight"]; };
  const auto query = [&] { return (*ui.snapshot().pass->trace)["blocks.1.attn.hook_q"]; };
  ui.hover("operand W_Q", 0.5f, 0.5f);
  const TensorRef cell = ui.app().hover().cell;
  REQUIRE(cell.tensor == "h.1.attn.c_attn.weight");
  const float before = weights().at(cell.index), q = query()(2, 0, cell.index[1]);
  ui.press(ImGuiKey_N);
  ui.type("1.5");
  ui.press(ImGuiKey_Enter);
  CHECK(weights().at(cell.index) == 1.5f);
  CHECK(query()(2, 0, cell.index[1]) != q);
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("weight_typed_over");
  ui.press(ImGuiKey_Escape);
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK(weights().at(cell.index) == before);
  CHECK(query()(2, 0, cell.index[1]) == q);
  ui.press(ImGuiKey_Y, ImGuiMod_Ctrl);
  CHECK(weights().at(cell.index) == 1.5f);
  ui.press(ImGuiKey_C);
  REQUIRE(ui.workspace().comparison.with == Comparison::asLoaded);
  CHECK(ui.layoutFaults() == "");
}

TEST_CASE("with Alt a number is dragged where it stands") {
  UiDriver::Options options;
  options.workspace.selection.layer = 1;
  UiDriver ui(options);
  ui.hover("attention", 0.3f, 0.7f);
  const TensorRef cell = ui.app().hover().cell;
  REQUIRE(cell.tensor.ends_with("hook_pattern"));
  const float before = (*ui.snapshot().pass->trace)[cell.tensor].at(cell.index);
  const auto selection = ui.workspace().selection;
  ui.dragWith(ImGuiMod_Alt, "attention", {0.3f, 0.7f}, {0, -40});
  CHECK(std::abs((*ui.snapshot().pass->trace)[cell.tensor].at(cell.index) - (before + 0.1f)) < 2e-3f);
  CHECK(ui.workspace().interventions.size() == 1);
  CHECK(ui.workspace().selection == selection);
  ui.screenshot("number_dragged");
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK(ui.workspace().interventions.empty());
  CHECK((*ui.snapshot().pass->trace)[cell.tensor].at(cell.index) == before);
}

TEST_CASE("parts are switched from the map and from the palette") {
  UiDriver ui;
  ui.click("Ablate");
  ui.type("MLP of block 1");
  ui.screenshot("switch_palette");
  ui.press(ImGuiKey_Enter);
  REQUIRE(ui.workspace().interventions.size() == 1);
  CHECK(ui.workspace().interventions[0].point == "blocks.1.hook_mlp_out");
  ui.press(ImGuiKey_X, ImGuiMod_Shift);
  CHECK(ui.workspace().interventions[1].point == "blocks.0.hook_attn_out");
  for (int i = 0; i < 4; ++i) ui.press(ImGuiKey_DownArrow), ui.press(ImGuiKey_X);
  CHECK(ui.workspace().interventions.size() == 6);
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("switched_off_many");
  ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
  ui.type("everything on");
  ui.press(ImGuiKey_Enter);
  CHECK(ui.workspace().interventions.empty());
}

TEST_CASE("Ablate lists what can be ablated, and nothing else") {
  UiDriver ui;
  ui.click("Ablate");
  const auto listed = [&] {
    std::vector<std::string> names;
    for (const ItemRecord& item : ui.items())
      if (item.window == "Palette" && item.label != "Search") names.push_back(item.label);
    return names;
  };
  REQUIRE(listed().size() > 5);
  for (const std::string& name : listed()) CHECK(name.starts_with("Ablate "));
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("switch_off");
  ui.type("theme");
  CHECK(listed().empty());
}

TEST_CASE("argmax in one head is a key, a choice of the matrix and undone") {
  UiDriver ui{UiDriver::Options{}};
  const auto largest = [&] {
    const TensorView pattern = (*ui.snapshot().pass->trace)["blocks.0.attn.hook_pattern"];
    float most = 0;
    for (int s = 0; s < pattern.extent[2]; ++s) most = std::max(most, pattern(0, pattern.extent[1] - 1, s));
    return most;
  };
  REQUIRE(ui.workspace().selection.layer == 0);
  REQUIRE(ui.workspace().selection.head == 0);
  CHECK(largest() < 1);
  ui.press(ImGuiKey_X, ImGuiMod_Alt | ImGuiMod_Shift);
  CHECK(isHard(ui.workspace().interventions, {0, 0}));
  CHECK(largest() == 1);
  ui.click("…");
  ui.screenshot("argmax_in_one_head");
  CHECK(ui.layoutFaults() == "");
  ui.click("Hard attention");
  CHECK(ui.workspace().interventions.empty());
  CHECK(largest() < 1);
  ui.click("Undo");
  CHECK(largest() == 1);
}

TEST_CASE("an intervention is paused where it is listed, and of many every one can be reached") {
  for (const UsualLook& look : usualLooks) {
    UiDriver::Options options;
    options.width = look.width, options.height = look.height;
    options.workspace.look.dark = look.dark;
    UiDriver ui(options);
    const auto valueOfHead = [&] { return (*ui.snapshot().pass->trace)["blocks.0.attn.hook_z"](2, 0, 0); };
    const float before = valueOfHead();
    ui.press(ImGuiKey_X);
    REQUIRE(valueOfHead() == 0);
    ui.click("Disable##0");
    CHECK(valueOfHead() == before);
    CHECK(ui.workspace().interventions.empty());
    CHECK(ui.texts().find("head L0H0") != std::string::npos);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("intervention_paused_" + look.name());
    ui.click("off##0");  // a gain, which waits too
    CHECK(valueOfHead() == before);
    ui.click("Enable##0");
    CHECK(std::abs(valueOfHead() - before / 2) < 1e-6f);
    ui.click("Undo");
    CHECK(valueOfHead() == before);

    ui.press(ImGuiKey_X, ImGuiMod_Shift);
    ui.press(ImGuiKey_X, ImGuiMod_Alt);
    for (int i = 0; i < 3; ++i) ui.press(ImGuiKey_DownArrow), ui.press(ImGuiKey_X);
    REQUIRE(listedInterventions(ui.workspace()).size() == 6);
    CHECK_FALSE(ui.exists("Enable##0"));
    CHECK(ui.texts().find("3 earlier") != std::string::npos);
    CHECK(ui.layoutFaults() == "");
    ui.click("more##intervention");
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("interventions_earlier_" + look.name());
    ui.click("Enable##0");
    CHECK(ui.workspace().interventions.size() == 6);
    ui.click("Remove##1");
    CHECK(ui.workspace().interventions.size() == 5);
    CHECK(ui.exists("Remove##4"));
    ui.click("more##intervention");
    CHECK(ui.exists("Remove##0"));
    ui.click("more##intervention");
    CHECK(ui.exists("Remove##4"));
  }
}
