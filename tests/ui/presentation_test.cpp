// A presentation: the picture and what is said about it, for the back row.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "app/panels/presentation_panel.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

// Twenty tokens of the model that ships.
UiDriver::Options stories() {
  UiDriver::Options options;
  options.loader = storiesModel;
  options.workspace.text =
      "The animal didn't cross the street because it was too tired. What was too tired? The";
  options.workspace.selection.layer = 2;
  return options;
}

}  // namespace

TEST_CASE(
    "a presentation is a title with the model's equation, the text with what comes next, and the picture") {
  UiDriver ui(stories());
  const float before = ui.find("attention").max.x - ui.find("attention").min.x;
  ui.press(ImGuiKey_F5);
  CHECK_FALSE(ui.exists("Top bar/Start presentation"));
  CHECK_FALSE(ui.exists("Add token"));
  CHECK_THAT(ui.texts(), ContainsSubstring("Block 2, head 0") && ContainsSubstring("·animal 97.9 %"));
  const ItemRecord matrix = ui.find("attention");
  CHECK(matrix.max.x - matrix.min.x >= 480);
  CHECK(matrix.max.x - matrix.min.x > 1.5f * before);
  for (const TokenPiece& token : ui.snapshot().pass->tokens)  // every label, in rows, columns and the text
    CHECK_THAT(ui.texts(), ContainsSubstring(token.label));
  ui.click("Presentation/token 1");
  CHECK(ui.workspace().selection.query == 1);
}

TEST_CASE("the equation of a presentation is that of the model as it is set") {
  const auto equationWith = [](ModelChanges changes) {
    UiDriver::Options options = stories();
    options.workspace.changes = std::move(changes);
    UiDriver ui(options);
    ui.press(ImGuiKey_F5);
    return ui.texts();
  };
  CHECK_THAT(equationWith({}), ContainsSubstring("A = softmax(s),  s = mask(q · kᵀ / √K)"));
  CHECK_THAT(equationWith({{"mask", "none"}}), ContainsSubstring("s = q · kᵀ / √K"));
  CHECK_THAT(equationWith({{"similarity", "plain"}}), ContainsSubstring("s = mask(x · xᵀ / √K)"));
  CHECK_THAT(equationWith({{"scale_attn_weights", "no"}}), ContainsSubstring("s = mask(q · kᵀ)"));
  CHECK_THAT(equationWith({{"attention_kernel", "distance"}}),
             ContainsSubstring("A = softmax(s),  s = ") && !ContainsSubstring("q · kᵀ"));
}

TEST_CASE("choices of a presentation come with the pointer and take the place of the title") {
  UiDriver ui(stories());
  ui.press(ImGuiKey_F5);
  CHECK_FALSE(ui.exists("Presentation/Attention ▾##group 0"));
  ui.hover("attention", 0.3f, 0.6f);
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("presentation_choices");
  ui.click("Pattern ▾##group 2");
  ui.click("Value-weighted##choice");
  CHECK(ui.workspace().settings.attention.stage == AttentionStage::Moved);
  ui.click("Matrix ▾##group 1");  // opens in place
  ui.screenshot("presentation_pictures");
  ui.click("Arcs##choice");
  CHECK(ui.workspace().settings.pictures.at("attention") == "arcs");
}

TEST_CASE("text and inspector are drawers of a presentation, and one key gives a picture all of the window") {
  UiDriver ui(stories());
  const float before = ui.find("attention").max.x - ui.find("attention").min.x;
  ui.press(ImGuiKey_F9);
  CHECK(ui.find("attention").max.x - ui.find("attention").min.x > before + 100);
  CHECK_FALSE(ui.exists("Text"));
  ui.press(ImGuiKey_M);
  CHECK(ui.exists("Text"));
  ui.press(ImGuiKey_M);
  ui.press(ImGuiKey_F9);
  CHECK(ui.exists("Text"));

  ui.press(ImGuiKey_F5);
  CHECK_FALSE(ui.exists("Text"));
  ui.press(ImGuiKey_M);
  ui.press(ImGuiKey_I);
  CHECK(ui.exists("Text"));
  ui.screenshot("presentation_drawers");
  ui.press(ImGuiKey_F5);
  ui.press(ImGuiKey_F5);
  CHECK_FALSE(ui.exists("Text"));  // each one begins with the picture alone
}

TEST_CASE("one word and the whole model are read from the back row") {
  for (const auto& [view, picture] : {std::pair{"attention", "word"}, {"step", "whole"}}) {
    UiDriver::Options options = stories();
    options.workspace.view = view;
    options.workspace.settings.pictures[view] = picture;
    UiDriver ui(options);
    INFO(picture);
    ui.press(ImGuiKey_F5);
    CHECK(ui.layoutFaults() == "");
    CHECK(ui.textsBelow(17.9f) == "");
    CHECK(ui.shareOfScreen("Stage view") >= 0.55f);
    ui.screenshot(std::string("presentation_") + picture);
  }
}
