// What can be done with a token that may come next: take it, ban it, ask why.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/decode/sampling_chain.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

UiDriver::Options samplingIn(int width, int height, bool dark) {
  UiDriver::Options options{.width = width, .height = height, .loader = storiesModel};
  options.workspace.text = "The old man saw a", options.workspace.selection = {};
  options.workspace.view = "next_token", options.workspace.settings.pictures["next_token"] = "sampling";
  options.workspace.decoding.strategy = DecodingStrategy::Sampling;
  options.workspace.decoding.stages = {{"temperature", 0.7f}, {"top-k", 5}, {"top-p", 0.9f}};
  options.workspace.look.dark = dark, options.workspace.look.followsSystem = false;
  return options;
}

// The token of the second row.
std::string secondCandidate(const UiDriver& ui) {
  int row = 0;
  for (const ItemRecord& item : ui.items())
    if (item.label.starts_with("candidate ") && row++ == 1) return item.label.substr(10);
  return "";
}

}  // namespace

TEST_CASE("a click on a token's word, bar or piece of the draw offers to take it, ban it or explain it") {
  for (const auto& [width, height, dark] : usualLooks) {
    UiDriver ui(samplingIn(width, height, dark));
    const std::string look = "_" + std::to_string(width) + (dark ? "_dark" : "_light");
    ui.hover("Stage view", 0.02f, 0.98f);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("sampling_digits" + look);
    const std::string token = secondCandidate(ui), before = ui.workspace().text;
    ui.click("candidate " + token);
    CHECK(ui.exists("Candidate menu/Take"));
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("candidate_menu" + look);
    ui.click("Candidate menu/Take");
    CHECK_FALSE(ui.exists("Candidate menu/Take"));
    REQUIRE(ui.snapshot().decoded->way);
    CHECK(ui.snapshot().decoded->way->tokens.front().by == ChosenBy::Hand);
    CHECK_THAT(ui.texts(), ContainsSubstring("forced"));
    ui.hover("place 1");
    CHECK_THAT(ui.tooltip(), ContainsSubstring("forced by hand"));
    ui.press(ImGuiKey_Space);
    ui.hover("place 2");
    CHECK_THAT(ui.tooltip(), ContainsSubstring("drawn with"));
    CHECK(ui.exists("ln P of the continuation"));
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("strip_both" + look);
    ui.click("Timeline/Back");
    ui.click("Timeline/Back");
    CHECK(ui.workspace().text == before);
    CHECK_THAT(ui.texts(), ContainsSubstring("was forced by hand; no token was drawn"));
    ui.click("Stage/Decode again");
    CHECK_THAT(ui.texts(), ContainsSubstring("of seed 1 draws"));
    for (const std::string& part : {std::string("piece 1"), "candidate " + token}) {
      ui.click(part);
      ui.click("Candidate menu/Ban");
      CHECK(ui.workspace().decoding.constraint.banned.size() == 1);
      CHECK_THAT(ui.texts(), ContainsSubstring("banned"));
      ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
      CHECK(ui.workspace().decoding.constraint.isOff());
    }
    ui.click("candidate " + token);
    ui.click("Candidate menu/Why");
    CHECK(ui.exists("Why/Close"));
    CHECK_THAT(ui.texts(), ContainsSubstring(chain::probability));
    ui.press(ImGuiKey_Escape);
  }
}

TEST_CASE("Ctrl P forces a token, from the list or typed, and undo takes it back") {
  UiDriver ui(samplingIn(1280, 720, true));
  const std::string before = ui.workspace().text;
  const auto force = [&] {
    ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
    ui.type("force");
    ui.press(ImGuiKey_Enter);
  };
  force();
  REQUIRE(ui.exists("Candidate menu/Take"));
  CHECK(ui.find("Candidate menu/Take").disabled);
  ui.type(" zebra");
  ui.screenshot("force_typed");
  ui.press(ImGuiKey_Enter);
  CHECK(ui.workspace().text == before + " zebra");
  CHECK(ui.workspace().way.stretches.back().by == ChosenBy::Hand);
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK(ui.workspace().text == before);
  force();
  ui.press(ImGuiKey_DownArrow);
  ui.press(ImGuiKey_DownArrow);
  CHECK_FALSE(ui.find("Candidate menu/Take").disabled);
  ui.press(ImGuiKey_Enter);
  CHECK(ui.workspace().text.size() > before.size());
  CHECK_FALSE(ui.exists("Candidate menu/Take"));
}

TEST_CASE("stepping leads sampling along, and stepping back shows the draws that happened") {
  UiDriver ui(samplingIn(1280, 720, true));
  std::vector<std::string> drawn;
  for (int step = 0; step < 3; ++step) {
    const int token = ui.snapshot().decoded->continuation.front();
    drawn.push_back("“" + ui.snapshot().model->entryLabel(token) + "”");
    CHECK_THAT(ui.texts(), ContainsSubstring("draws " + drawn.back()));
    ui.press(ImGuiKey_Space);
  }
  ui.click("more##Seed");  // what the draws were made with is another one
  ui.click("Greedy");
  CHECK_THAT(ui.texts(), ContainsSubstring("Greedy decoding draws no random number"));
  for (int step = 2; step >= 0; --step) {
    ui.press(ImGuiKey_Backspace);
    CHECK_THAT(ui.texts(), ContainsSubstring("of seed 1 drew " + drawn[static_cast<std::size_t>(step)]));
  }
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("sampling_past");
  ui.press(ImGuiKey_F5);
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("sampling_past_presented");
}
