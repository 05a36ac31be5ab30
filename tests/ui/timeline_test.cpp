// What was decoded, as a strip of places to go to and to come back from, in the window.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "tests/ui/ui_driver.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

UiDriver::Options decoding(int width, bool dark, const char* view, const char* picture) {
  UiDriver::Options options{.width = width, .height = width == 1280 ? 720 : 1080, .loader = storiesModel};
  options.workspace.text = "Once there was";
  options.workspace.view = view, options.workspace.settings.pictures[view] = picture;
  options.workspace.decoding.strategy = DecodingStrategy::Greedy;
  options.workspace.look.dark = dark, options.workspace.look.followsSystem = false;
  return options;
}

std::string placeText(const UiDriver& ui, std::size_t place) {
  const DecodedPath& way = *ui.snapshot().decoded->way;
  return way.to.substr(0, way.tokens[place].end);
}

}  // namespace

TEST_CASE("one goes back and forth in what was decoded, by mouse and keys, and nothing behind is lost") {
  for (const auto& [width, height, dark] : usualLooks) {
    UiDriver ui(decoding(width, dark, "next_token", "sampling"));
    const std::string look = "_" + std::to_string(width) + (dark ? "_dark" : "_light");
    CHECK_FALSE(ui.exists("Timeline/Back"));
    for (int step = 0; step < 4; ++step) ui.press(ImGuiKey_Space);
    const std::string whole = ui.workspace().text;
    REQUIRE(ui.exists("place 4"));
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("timeline_end" + look);
    ui.click("place 2");
    CHECK(ui.workspace().text == placeText(ui, 1));
    CHECK(ui.workspace().way.to == whole);
    CHECK(ui.snapshot().pass->text == ui.workspace().text);  // and so every view shows that place
    CHECK(ui.exists("place 4"));
    CHECK_FALSE(ui.exists("next token 0"));
    ui.hover("place 3");
    CHECK_THAT(ui.tooltip(), ContainsSubstring("nats"));
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("timeline_back" + look);
    ui.press(ImGuiKey_Backspace);
    CHECK(ui.workspace().text == placeText(ui, 0));
    ui.press(ImGuiKey_Backspace, ImGuiMod_Shift);
    CHECK(ui.workspace().text == placeText(ui, 1));
    ui.press(ImGuiKey_Backspace, ImGuiMod_Ctrl);
    CHECK(ui.workspace().text == "Once there was");
    CHECK(ui.exists("place 4"));
    ui.click("Timeline/Forward");
    CHECK(ui.workspace().text == placeText(ui, 0));
    ui.click("Timeline/Back");
    CHECK(ui.workspace().text == "Once there was");
    ui.press(ImGuiKey_Space);  // greedy takes the same token again: along the way
    CHECK(ui.workspace().way.to == whole);
    ui.press(ImGuiKey_Backspace, ImGuiMod_Ctrl | ImGuiMod_Shift);
    CHECK(ui.workspace().text == whole);
    ui.click("token " + std::to_string(ui.snapshot().pass->trace->tokenCount() - 5));
    CHECK(ui.workspace().text == "Once there was");
    ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);  // going about is undone at once, up to what was appended
    CHECK(ui.workspace().text == placeText(ui, 0));
    ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
    CHECK(ui.workspace().text == "Once there was");
    ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
    CHECK(ui.workspace().text == whole);
  }
}

TEST_CASE("the cache shows the place in the decoded text, filled from where decoding began") {
  UiDriver ui(decoding(1280, true, "cost", "cache"));
  for (int step = 0; step < 4; ++step) ui.press(ImGuiKey_Space);
  ui.settle();
  const int prompt = ui.snapshot().pass->trace->tokenCount() - 4;
  CHECK(ui.exists("cache step " + std::to_string(prompt)));  // a step for each token decoded
  CHECK_THAT(ui.texts(), ContainsSubstring(std::to_string(prompt + 3) + " rows read again, 1 computed"));
  ui.click("place 2");
  ui.settle();
  CHECK_THAT(ui.texts(), ContainsSubstring(std::to_string(prompt + 1) + " rows read again, 1 computed"));
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("timeline_cache");
}

TEST_CASE(
    "a tree keeps its place while its hypotheses are looked at, and grows from one that is clicked again") {
  for (const int width : {1280, 1920}) {
    UiDriver::Options options = decoding(width, width == 1280, "beam", "search");
    options.workspace.decoding.strategy = DecodingStrategy::Beam;
    UiDriver ui(options);
    const auto tree = ui.snapshot().decoded->beam;
    const std::string name = "beam " + std::to_string(tree->hypotheses.at(1));
    const auto places = [&] {
      std::vector<std::pair<std::string, std::pair<float, float>>> all;
      for (const ItemRecord& item : ui.items())
        if (item.label.starts_with("beam ")) all.push_back({item.label, {item.min.x, item.min.y}});
      return all;
    };
    const auto before = places();
    REQUIRE(before.size() > 6);
    ui.click(name);
    const std::string added = ui.snapshot().model->bytesOf(tree->path(tree->hypotheses.at(1)));
    CHECK(ui.workspace().text == "Once there was" + added);
    CHECK(ui.snapshot().decoded->beam == tree);
    CHECK(places() == before);
    ui.hover("Stage view", 0.02f, 0.98f);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("beam_looked_at_" + std::to_string(width));
    ui.click("beam 0");
    CHECK(ui.workspace().text == "Once there was");
    CHECK(places() == before);
    ui.click(name);
    ui.click(name);
    CHECK(ui.workspace().text == "Once there was" + added);
    CHECK(ui.snapshot().decoded->root == ui.workspace().text);
    CHECK(ui.snapshot().decoded->beam != tree);
  }
}

TEST_CASE("groups of a diverse beam are asked for by name, and then have their fields above the tree") {
  UiDriver::Options options = decoding(1280, true, "beam", "search");
  options.workspace.decoding.strategy = DecodingStrategy::Beam;
  options.workspace.decoding.beamWidth = 4, options.workspace.decoding.groups = 2;
  options.workspace.decoding.groupPenalty = 3;
  UiDriver ui(options);
  CHECK(ui.exists("more##Beam groups"));
  CHECK(ui.exists("more##Diversity penalty"));
  const BeamTree& tree = *ui.snapshot().decoded->beam;
  CHECK(tree.groups == 2);
  int second = -1;
  for (std::size_t i = 0; i < tree.nodes.size() && second < 0; ++i)
    if (tree.nodes[i].group == 1 && tree.nodes[i].state == BeamState::Kept) second = static_cast<int>(i);
  ui.hover("beam " + std::to_string(second));
  CHECK_THAT(ui.tooltip(), ContainsSubstring("group 2"));
  ui.hover("Stage view", 0.02f, 0.98f);
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("beam_groups");
}

TEST_CASE("a dead end of the constraint is said in the strip, at the tree and in the panel") {
  for (const DecodingStrategy strategy : {DecodingStrategy::Sampling, DecodingStrategy::Beam}) {
    const bool isBeam = strategy == DecodingStrategy::Beam;
    UiDriver::Options options =
        decoding(1280, true, isBeam ? "beam" : "next_token", isBeam ? "search" : "sampling");
    options.workspace.decoding.strategy = strategy;
    const auto model = storiesModel("stories", noProgress);
    options.workspace.decoding.constraint = {"a (dog|cat)9", "Once there was",
                                             model->tokenizer->encodeIds("9")};
    UiDriver ui(options);
    REQUIRE(ui.snapshot().decoded->deadEnd);
    ui.hover("dead end");
    CHECK_THAT(ui.tooltip(),
               ContainsSubstring("the constraint wants 9, and the token that leads on is banned"));
    CHECK_THAT(ui.texts(), ContainsSubstring("no token "));
    CHECK(ui.layoutFaults() == "");
    ui.screenshot(isBeam ? "dead_end_beam" : "dead_end");
    ui.press(ImGuiKey_C, ImGuiMod_Shift);
    CHECK_THAT(ui.texts(), ContainsSubstring("Dead end, no token "));
    CHECK(ui.layoutFaults() == "");
    ui.screenshot(isBeam ? "dead_end_beam_panel" : "dead_end_panel");
  }
}
