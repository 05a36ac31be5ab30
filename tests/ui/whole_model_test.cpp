// The whole model on one page, in the real interface.
#include <catch2/catch_test_macros.hpp>

#include "tests/ui/ui_driver.h"

using namespace glassformer;

namespace {

UiDriver::Options wholeModel() {
  UiDriver::Options options;
  options.workspace.view = "step", options.workspace.settings.pictures["step"] = "whole";
  options.loader = storiesModel;
  return options;
}

}  // namespace

TEST_CASE("the whole model in two sizes and both themes, and its words choose the token") {
  UiDriver ui(wholeModel());
  ui.inEveryLook([&](const std::string& look) {
    ui.hover("Stage view", 0.01f, 0.97f);
    INFO(look);
    CHECK(ui.layoutFaults().substr(0, 400) == "");
    CHECK_FALSE(ui.scrolls());
    ui.screenshot("whole_model_" + look);
  });
  ui.click("words in", 0.9f, 0.01f);
  CHECK(ui.workspace().selection.query == 0);
  ui.hover("residual stream", 0.01f, 0.01f);
  CHECK(ui.app().hover().cell.tensor == "lens.residual_norm");
}

TEST_CASE("parts of the whole model open where they are clicked") {
  UiDriver ui(wholeModel());
  ui.click("head L2H1");
  CHECK(ui.workspace().view == "attention");
  CHECK(ui.workspace().selection.layer == 2);
  CHECK(ui.workspace().selection.head == 1);
  ui.press(keyOfView(6));
  ui.click("Diagrams");
  ui.click("MLP 3");
  CHECK(ui.workspace().view == "step");
  CHECK(ui.workspace().step == "blocks.3.mlp.hook_post");
  CHECK(ui.exists("Equation"));
}
