// The unrolled network, in the window.
#include <catch2/catch_test_macros.hpp>

#include "tests/ui/ui_driver.h"

using namespace glassformer;

namespace {

UiDriver::Options unrolled(int width, bool isDark, ModelChanges changes = {}) {
  UiDriver::Options options{.width = width, .height = width * 9 / 16};
  options.workspace.view = "cost", options.workspace.settings.pictures["cost"] = "unrolled";
  options.workspace.look.dark = isDark, options.workspace.look.followsSystem = false;
  options.workspace.changes = std::move(changes);
  return options;
}

}  // namespace

TEST_CASE("the unrolled network counts steps in series, and clicks choose a way through it") {
  UiDriver ui(unrolled(1280, true));
  const int last = ui.snapshot().pass->trace->tokenCount() - 1, blocks = ui.snapshot().model->config->layers;
  CHECK(ui.texts().find(std::to_string(blocks) + " steps in series for " +
                        std::to_string(blocks * (last + 1)) + " states") != std::string::npos);
  CHECK(ui.texts().find(": 1 step") != std::string::npos);
  ui.click("embeddings", 0.99f, 0.5f);
  CHECK(ui.workspace().selection.key == last);
  CHECK(ui.texts().find(": 0 steps") != std::string::npos);
  ui.click("states of block " + std::to_string(blocks - 1), 0.01f, 0.5f);
  CHECK(ui.workspace().selection.query == 0);
  CHECK(ui.texts().find("no path from") != std::string::npos);
  ui.hover("states of block 0", 0.99f, 0.5f);
  CHECK(ui.app().hover().cell.tensor == "lens.serial_steps");
  CHECK(ui.layoutFaults() == "");
}

TEST_CASE("in a recurrence each state waits for the one before, and a way is as long as the text") {
  for (const int width : {1280, 1920}) {
    UiDriver ui(unrolled(width, width == 1280, {{"mixing", "recurrence"}}));
    const int tokens = ui.snapshot().pass->trace->tokenCount(), blocks = ui.snapshot().model->config->layers;
    CHECK(ui.texts().find(std::to_string(tokens + blocks - 1) + " steps in series") != std::string::npos);
    ui.click("embeddings", 0.01f, 0.5f);
    CHECK(ui.texts().find(": " + std::to_string(tokens - 1) + " steps") != std::string::npos);
    ui.hover("Stage view", 0.01f, 0.99f);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("unrolled_recurrence_" + std::to_string(width));
  }
  UiDriver ui(unrolled(1280, false));
  ui.screenshot("unrolled_attention_1280");
  CHECK(ui.layoutFaults() == "");
}

TEST_CASE("beside a recurrence the wave of states that are there goes its own pace") {
  for (const int width : {1280, 1920}) {
    UiDriver ui(unrolled(width, width == 1280));
    const int tokens = ui.snapshot().pass->trace->tokenCount(), blocks = ui.snapshot().model->config->layers;
    const auto says = [&](const std::string& words) { return ui.texts().find(words) != std::string::npos; };
    const std::string states = " of " + std::to_string(blocks * tokens) + " states";
    ui.click("embeddings", 0.01f, 0.5f);
    ui.click("+ RNN");
    CHECK(says("attention: " + std::to_string(blocks) + " steps in series for"));
    CHECK(says("recurrence: " + std::to_string(tokens + blocks - 1) + " steps in series for"));
    CHECK(says(": " + std::to_string(tokens - 1) + " steps"));
    ui.screenshot("unrolled_beside_" + std::to_string(width));
    CHECK(ui.layoutFaults() == "");
    ui.click("Later");
    CHECK(says("attention: after 0 steps 0" + states));
    ui.click("Later");
    ui.click("Later");
    // After two steps: both of its blocks, and of a recurrence two states below and one above.
    CHECK(says("attention: after 2 steps " + std::to_string(2 * tokens) + states));
    CHECK(says("recurrence: after 2 steps 3" + states));
    ui.hover("Stage view", 0.01f, 0.99f);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("unrolled_wave_" + std::to_string(width));
    ui.click("Earlier");
    CHECK(says("recurrence: after 1 step 1" + states));
    ui.click("All states");
    CHECK(says("recurrence: " + std::to_string(tokens + blocks - 1) + " steps in series"));
    ui.click("+ conv");
    CHECK(says("convolution: "));
    ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
    ui.click("Alone");
    CHECK_FALSE(says("attention: "));
  }
}
