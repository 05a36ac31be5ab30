// Numbers that stay in sight.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "app/document/pin.h"
#include "app/document/view_commands.h"
#include "app/drawing/scene_input.h"
#include "app/explain/other_passes.h"
#include "app/scene/format.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;

namespace {

std::string valueOfPin(const Snapshot& snapshot, const Pin& pin) {
  return formattedValue(pin.point, *valueOf(sourcesOf(snapshot), {.tensor = pin.point, .index = pin.index}));
}

bool isSaid(UiDriver& ui, const std::string& words) { return ui.texts().find(words) != std::string::npos; }

}  // namespace

TEST_CASE("a number that is pinned stays in sight, follows the text, and is held against others") {
  for (const auto& [width, height, dark] : usualLooks) {
    UiDriver::Options options;
    options.width = width, options.height = height;
    options.workspace.look.dark = dark;
    const std::string look = std::to_string(width) + (dark ? "_dark" : "_light");
    UiDriver ui(options);
    CHECK_FALSE(isSaid(ui, "PINNED"));
    ui.hover("attention", 0.1f, 0.9f);
    ui.press(ImGuiKey_K);
    ui.hover("attention", 0.5f, 0.9f);
    ui.press(ImGuiKey_K);
    REQUIRE(ui.workspace().pins.size() == 2);
    ui.press(keyOfView(2));
    ui.hover("residual norms", 0.3f, 0.5f);
    ui.press(ImGuiKey_K);
    REQUIRE(ui.workspace().pins.size() == 3);
    CHECK(isSaid(ui, "PINNED"));
    for (const Pin& pin : ui.workspace().pins) CHECK(isSaid(ui, valueOfPin(ui.snapshot(), pin)));
    CHECK(isSaid(ui, "Δ "));
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("pins_" + look);

    // It follows what is typed.
    ui.click("Text", 0.95f, 0.5f);
    ui.type(" cat");
    ui.press(ImGuiKey_Escape);
    for (const Pin& pin : ui.workspace().pins) CHECK(isSaid(ui, valueOfPin(ui.snapshot(), pin)));

    // Pointed at, it is lit where it stands; a click says what made it, and there it can be let go.
    ui.hover("Pinned 1##pin");
    CHECK(ui.app().hover().cell.tensor == ui.workspace().pins[1].point);
    CHECK(ui.app().hover().cell.index == ui.workspace().pins[1].index);
    ui.click("Pinned 1##pin");
    CHECK(ui.exists("Why/Close##why"));
    CHECK(ui.layoutFaults() == "");
    ui.click("Why/Pin##why");
    CHECK(ui.workspace().pins.size() == 2);
    ui.click("Why/Pin##why");
    CHECK(ui.workspace().pins.size() == 3);
    ui.press(ImGuiKey_Escape);

    // Compared, each stands beside what it is there.
    ui.press(ImGuiKey_X);
    ui.press(ImGuiKey_C);
    const bool drawer = !isSaid(ui, "PINNED");  // where two pictures leave no room for a column
    if (drawer) ui.press(ImGuiKey_I);
    CHECK(isSaid(ui, "other "));
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("pins_compared_" + look);
    if (drawer) ui.press(ImGuiKey_I);
    ui.press(ImGuiKey_C);

    ui.click("Unpin 0##pin");
    CHECK(ui.workspace().pins.size() == 2);
    ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
    ui.type("let all pinned");
    ui.press(ImGuiKey_Enter);
    CHECK(ui.workspace().pins.empty());
    CHECK_FALSE(isSaid(ui, "PINNED"));
    ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
    CHECK(ui.workspace().pins.size() == 2);
    CHECK(isSaid(ui, "PINNED"));
    ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
    CHECK(ui.workspace().pins.size() == 3);
    ui.press(ImGuiKey_Z, ImGuiMod_Ctrl | ImGuiMod_Shift);
    CHECK(ui.workspace().pins.size() == 2);
  }
}

TEST_CASE("a number of another pass is pinned with its pass, which is run again for it") {
  for (const auto& [width, height, dark] : usualLooks) {
    UiDriver::Options options;
    options.width = width, options.height = height;
    options.workspace.look.dark = dark;
    const std::string look = std::to_string(width) + (dark ? "_dark" : "_light");
    commands::choosePicture("influence", "leave out").apply(options.workspace);
    options.workspace.view = "influence";
    const Pin pin{"logits", {3, 7, 0, 0}, PinnedPass{"causal.logit", {1, 2, 0, 0}, 1}};
    options.workspace.pins = {pin, {"logits", {3, 7, 0, 0}}};
    UiDriver ui(options);
    ui.await([&] { return isSaid(ui, "head L1H2 ablated"); });
    REQUIRE(isSaid(ui, "head L1H2 ablated"));
    const OpenedAcross opened = openedAcross(ui.snapshot(), {"causal.logit", {1, 2, 0, 0}});
    const float value = *valueOf(sourcesOf(*opened.passes[1]), {"logits", {3, 7, 0, 0}});
    CHECK(value != *valueOf(sourcesOf(ui.snapshot()), {"logits", {3, 7, 0, 0}}));
    CHECK(isSaid(ui, formattedValue("logits", value)));
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("pins_other_pass_" + look);

    // A click goes on inside of that pass, where it can be let go, and pinned again.
    ui.click("Pinned 0##pin");
    CHECK(isSaid(ui, "In another pass: head L1H2 ablated"));
    CHECK(isSaid(ui, "2 of 2"));
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("why_other_pass_" + look);
    ui.click("Why/Pin##why");
    CHECK(ui.workspace().pins == std::vector<Pin>{{"logits", {3, 7, 0, 0}}});
    ui.click("Why/Pin##why");
    CHECK(ui.workspace().pins.back() == pin);
  }
}

TEST_CASE("a pinned number that is not there any more says so, and many of them do not crowd out the rest") {
  UiDriver::Options options;
  for (int i = 0; i < static_cast<int>(mostPins); ++i)
    options.workspace.pins.push_back({"blocks.0.attn.hook_pattern", {0, 1, 0, 0}});
  options.workspace.pins.front() = {"no.such.tensor", {}};
  options.workspace.pins[1] = {"logits", {500, 0, 0, 0}};
  UiDriver ui(options);
  CHECK(isSaid(ui, "no such value here"));
  CHECK(isSaid(ui, " more"));
  CHECK(isSaid(ui, "VALUE"));
  CHECK(isSaid(ui, "NEXT TOKEN"));
  CHECK(ui.layoutFaults() == "");
  ui.hover("attention", 0.5f, 0.9f);
  ui.press(ImGuiKey_K);
  CHECK(ui.workspace().pins.size() == mostPins);
  CHECK(ui.workspace().pins.front().point == "logits");
}
