// Painting the mask by hand, in the real interface.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "tests/small_model.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

UiDriver::Options openedMatrix(int width = 1280, int height = 720, bool dark = true) {
  UiDriver::Options options;
  options.width = width, options.height = height;
  options.workspace.text = "The animal was too tired.";
  options.workspace.look.dark = dark;
  options.loader = [](const std::string& name, const ProgressCallback&) -> Result<LoadedModel> {
    return makeSmallModel(name, 2, 4, 64);
  };
  return options;
}

const AttentionMask& mask(const UiDriver& ui) { return ui.snapshot().model->config->mask; }
// The middle of a cell, as a fraction of the matrix.
float middle(const UiDriver& ui, int i) {
  return (static_cast<float>(i) + 0.5f) / static_cast<float>(ui.snapshot().pass->countOf(Stream::Text));
}
float weight(const UiDriver& ui, int query, int key) {
  return (*ui.snapshot().pass->trace)["blocks.0.attn.hook_pattern"](0, query, key);
}

}  // namespace

TEST_CASE("a drag forbids every cell that it crosses, a click allows one again, undo takes strokes back") {
  UiDriver ui(openedMatrix());
  ui.click("Edit mask");
  CHECK(ui.workspace().settings.attention.painting);
  const ItemRecord matrix = ui.find("attention");
  const int tokens = ui.snapshot().pass->countOf(Stream::Text);
  const float width = matrix.max.x - matrix.min.x;
  // From the middle, where a drag begins, as far to the left as it goes.
  ui.drag("attention", -width * 0.49f, 0);
  ui.settle();
  REQUIRE_FALSE(mask(ui).painted.empty());
  const int t = mask(ui).painted.begin()->query;
  CHECK(std::abs(2 * t - tokens) <= 2);
  for (int key = 0; key <= t; ++key) CHECK_FALSE(mask(ui).allows(t, key));
  CHECK(ui.app().history().stateCount() == 2);
  CHECK(weight(ui, t, 0) == 0);
  CHECK(ui.snapshot().standing.error == "");

  ui.click("attention", middle(ui, 1), middle(ui, t));
  ui.settle();
  CHECK(mask(ui).allows(t, 1));
  CHECK(weight(ui, t, 1) == 1);
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  ui.settle();
  CHECK_FALSE(mask(ui).allows(t, 1));
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  ui.settle();
  CHECK(ui.workspace().changes.empty());
  CHECK(weight(ui, t, 0) > 0);
}

TEST_CASE("a token that sees nothing is named") {
  for (const bool dark : {true, false})
    for (const auto& [width, height] : {std::pair{1280, 720}, std::pair{1920, 1080}}) {
      UiDriver ui(openedMatrix(width, height, dark));
      ui.press(ImGuiKey_P);
      ui.click("attention", middle(ui, 0), middle(ui, 0));
      ui.settle();
      CHECK_FALSE(mask(ui).allows(0, 0));
      ui.hover("attention", middle(ui, 0), middle(ui, 0));
      CHECK_THAT(ui.app().hover().text, ContainsSubstring("cannot see"));
      ui.screenshot("mask_painting_" + std::to_string(width) + (dark ? "_dark" : "_light"));
      CHECK(ui.layoutFaults() == "");
      ui.click("Edit mask");
      CHECK(ui.layoutFaults() == "");
    }
}

TEST_CASE("the keyboard paints the marked cell") {
  UiDriver ui(openedMatrix());
  ui.press(ImGuiKey_P);
  for (int i = 0; i < 200 && ui.app().hover().query == Target::none; ++i) ui.press(ImGuiKey_Tab);
  REQUIRE(ui.app().hover().query == 0);
  ui.press(ImGuiKey_DownArrow);
  ui.press(ImGuiKey_DownArrow);
  ui.press(ImGuiKey_RightArrow);
  const std::string text = ui.workspace().text;
  ui.press(ImGuiKey_Space);
  ui.settle();
  CHECK_FALSE(mask(ui).allows(2, 1));
  ui.press(ImGuiKey_Space);
  ui.settle();
  CHECK(mask(ui).allows(2, 1));
  CHECK(ui.workspace().text == text);
}

TEST_CASE("a mask begins with a rule, is inverted, cleared, and compared with the model as loaded") {
  UiDriver ui(openedMatrix());
  ui.press(ImGuiKey_P);
  ui.click("Stage/Window");
  ui.settle();
  CHECK(mask(ui) == AttentionMask{MaskKind::Window, 4, {}});
  ui.click("Invert");
  ui.settle();
  CHECK(mask(ui).allows(0, 5));
  CHECK_FALSE(mask(ui).allows(5, 5));
  CHECK(ui.snapshot().standing.error == "");
  CHECK(ui.layoutFaults() == "");
  ui.press(ImGuiKey_C);
  ui.settle();
  CHECK(ui.workspace().comparison.with == Comparison::asLoaded);
  REQUIRE(ui.snapshot().other);
  CHECK(ui.snapshot().other->model->config->mask.kind == MaskKind::Causal);
  ui.find("Stage/Invert");  // on one side alone: the other one stays as it was loaded
  ui.screenshot("mask_painting_compared");
  ui.press(ImGuiKey_D);
  ui.settle();
  CHECK(ui.snapshot().difference);
  CHECK_FALSE(ui.exists("Invert"));
  ui.press(ImGuiKey_C);
  ui.click("Clear");
  ui.settle();
  CHECK(mask(ui) == AttentionMask{MaskKind::Window, 4, {}});
  ui.click("Stage/Causal");
  ui.settle();
  CHECK(ui.workspace().changes.empty());
}
