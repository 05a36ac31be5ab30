// Where a head looks, said in the window and put in its pattern's place.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "app/document/switches.h"
#include "core/lens/hypothesis_rule.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

UiDriver::Options hypothesising(int width = 1280, bool dark = true) {
  UiDriver::Options options{.width = width, .height = width * 9 / 16, .loader = storiesModel};
  options.workspace.text = "The dog was too tired. The";
  options.workspace.view = "attention", options.workspace.settings.pictures["attention"] = "matrix";
  options.workspace.selection.layer = 2, options.workspace.selection.head = 1;
  options.workspace.look.dark = dark, options.workspace.look.followsSystem = false;
  return options;
}

TensorView patternIn(const UiDriver& ui) {
  return (*ui.snapshot().pass->trace)["blocks.2.attn.hook_pattern"][1];
}

// Query t looks at the key before it alone, the first one at itself.
bool looksBefore(const UiDriver& ui) {
  const TensorView pattern = patternIn(ui);
  for (int t = 0; t < pattern.extent[0]; ++t)
    for (int s = 0; s <= t; ++s)
      if (pattern(t, s) != (s == std::max(t - 1, 0) ? 1.0f : 0.0f)) return false;
  return true;
}

}  // namespace

TEST_CASE("what is said of a head takes its pattern's place, follows the text, and is taken back") {
  UiDriver ui(hypothesising());
  const float before = (*ui.snapshot().pass->trace)["logits"](3, 7);
  CHECK_FALSE(looksBefore(ui));
  ui.press(ImGuiKey_H, ImGuiMod_Shift);
  ui.type("key = query - 1");
  CHECK_THAT(ui.texts(),
             ContainsSubstring("It shares ") && ContainsSubstring("of the attention on this text"));
  ui.click("Put in its place");
  CHECK(looksBefore(ui));
  CHECK((*ui.snapshot().pass->trace)["logits"](3, 7) != before);
  CHECK_THAT(ui.texts(), ContainsSubstring("L2H1 looks by key = query - 1"));
  ui.press(ImGuiKey_Escape);
  const int tokens = patternIn(ui).extent[0];
  ui.press(ImGuiKey_Space);  // the next token
  CHECK(patternIn(ui).extent[0] == tokens + 1);
  CHECK(looksBefore(ui));
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK_FALSE(looksBefore(ui));
  CHECK((*ui.snapshot().pass->trace)["logits"](3, 7) == before);
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl | ImGuiMod_Shift);
  CHECK(looksBefore(ui));
  ui.press(ImGuiKey_H, ImGuiMod_Shift);
  ui.click("Take back");
  CHECK(ui.workspace().interventions.empty());
  CHECK((*ui.snapshot().pass->trace)["logits"](3, 7) == before);
}

TEST_CASE("the stock is held against the head, and what is wrong is told where it is") {
  for (const int width : {1280, 1920})
    for (const bool dark : {true, false}) {
      UiDriver ui(hypothesising(width, dark));
      const std::string look = "_" + std::to_string(width) + (dark ? "_dark" : "_light");
      ui.press(ImGuiKey_H, ImGuiMod_Shift);
      ui.screenshot("hypothesis" + look);
      CHECK(ui.layoutFaults().substr(0, 400) == "");
      ui.click("hypothesis previous");
      CHECK_THAT(ui.texts(), ContainsSubstring("It shares "));
      ui.click("Put in its place");
      CHECK(looksBefore(ui));
      ui.screenshot("hypothesis_stands" + look);
      CHECK(ui.layoutFaults().substr(0, 400) == "");
      // Another one takes its place, and not the other head's.
      ui.click("hypothesis first");
      ui.click("Put in its place");
      CHECK(ui.workspace().interventions.size() == 1);
      CHECK(patternIn(ui)(4, 0) == 1);
      ui.press(ImGuiKey_Escape);
      ui.press(ImGuiKey_H, ImGuiMod_Shift);
      ui.press(ImGuiKey_A, ImGuiMod_Ctrl);
      ui.type("key = foo");
      CHECK_THAT(ui.texts(), ContainsSubstring("character 7"));
      CHECK(ui.find("Put in its place").disabled);
      ui.screenshot("hypothesis_wrong" + look);
      CHECK(ui.layoutFaults().substr(0, 400) == "");
    }
}
