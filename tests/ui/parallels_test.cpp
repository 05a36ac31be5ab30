// A block of the model beside those of a ResNet and a ConvNeXt, in the real interface.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/model/named_blocks.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

bool showsParallels(const UiDriver& ui) {
  const auto& pictures = ui.workspace().settings.pictures;
  const auto chosen = pictures.find(std::string_view("step"));
  return ui.workspace().view == "step" && chosen != pictures.end() && chosen->second == "parallels";
}

std::string blockOf(const UiDriver& ui) {
  const NamedBlock* block = namedBlockOf(*ui.snapshot().model->config);
  return block ? block->id : "";
}

void openFound(UiDriver& ui, const char* words) {
  ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
  ui.type(words);
  ui.press(ImGuiKey_Enter);
}

}  // namespace

TEST_CASE("from the first start the three blocks are three actions away, by any of their names") {
  for (const char* word : {"parallels", "ResNet", "ConvNeXt"}) {
    UiDriver ui;
    INFO(word);
    openFound(ui, word);
    CHECK(showsParallels(ui));
  }
}

TEST_CASE("three blocks beside each other, in two sizes and both themes, with each of them built") {
  for (const auto& [width, height, dark] : usualLooks) {
    UiDriver::Options options;
    options.width = width, options.height = height;
    options.workspace.look.dark = dark, options.workspace.look.followsSystem = false;
    UiDriver ui(options);
    const std::string suffix = "_" + std::to_string(width) + (dark ? "_dark" : "_light");
    const auto look = [&](const std::string& what) {
      ui.screenshot("parallels_" + what + suffix);
      INFO(what << suffix);
      CHECK(ui.layoutFaults().substr(0, 400) == "");
      CHECK_FALSE(ui.scrolls());
    };
    openFound(ui, "parallels");
    look("transformer");
    ui.hover("convnext blocks.0.convolution.hook_taps");
    look("hovered");
    CHECK_THAT(ui.tooltip(), ContainsSubstring("the counterpart of everything before the MLP"));
    ui.click("build convnext");
    CHECK(blockOf(ui) == "convnext");
    look("convnext");
    ui.click("build resnet");
    CHECK(blockOf(ui) == "resnet");
    look("resnet");
    ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
    CHECK(blockOf(ui) == "convnext");
    ui.click("build transformer");
    CHECK(blockOf(ui) == "transformer");
    CHECK(ui.workspace().changes.empty());
  }
}

TEST_CASE("a box of the model's own block opens its step, one of another kind builds that") {
  UiDriver ui;
  openFound(ui, "parallels");
  ui.click("transformer blocks.0.hook_attn_out");
  CHECK(ui.workspace().step.ends_with(".hook_attn_out"));
  CHECK_FALSE(showsParallels(ui));
  openFound(ui, "parallels");
  ui.click("resnet blocks.0.convolution.hook_reduced_pre");
  CHECK(blockOf(ui) == "resnet");
  CHECK(ui.snapshot().standing.error.empty());
  REQUIRE(ui.snapshot().pass->hasTrace());
  ui.click("resnet blocks.0.convolution.hook_reduced");
  CHECK(ui.workspace().step.ends_with(".convolution.hook_reduced"));
}

TEST_CASE("arrows and the boxes of the model diagram lead from the three blocks to the step that they mean") {
  UiDriver ui;
  openFound(ui, "parallels");
  const std::string before = ui.workspace().step;
  ui.press(ImGuiKey_RightArrow);
  CHECK_FALSE(showsParallels(ui));
  CHECK(ui.workspace().step != before);
  openFound(ui, "parallels");
  ui.click("map 0");
  CHECK_FALSE(showsParallels(ui));
}
