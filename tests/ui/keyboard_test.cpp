#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <clocale>
#include <set>

#include "app/panels/action.h"
#include "app/panels/palette_entries.h"
#include "app/views/views.h"
#include "core/decode/sampling.h"
#include "core/decode/temperature.h"
#include "core/decode/top_k.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("the palette finds a head by a part of its name and goes there") {
  UiDriver ui;
  ui.press(ImGuiKey_3);
  CHECK(ui.workspace().view == "residual");
  ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
  CHECK(ui.exists("Search"));
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("palette");
  ui.type("block 1 head 2");
  ui.screenshot("palette_typed");
  CHECK(ui.exists("Head L1H2"));
  ui.press(ImGuiKey_Enter);
  CHECK_FALSE(ui.exists("Search"));
  CHECK(ui.workspace().view == "attention");
  CHECK(ui.workspace().selection.layer == 1);
  CHECK(ui.workspace().selection.head == 2);
}

TEST_CASE("the palette says when nothing answers, and lets go") {
  UiDriver ui;
  const std::string text = ui.workspace().text;
  ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
  ui.type("xyzzy");
  ui.press(ImGuiKey_Enter);
  ui.screenshot("palette_nothing");
  CHECK(ui.exists("Search"));
  ui.press(ImGuiKey_Escape);
  CHECK_FALSE(ui.exists("Search"));
  ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
  ui.type("theme");
  CHECK_FALSE(ui.exists("Undo##3"));
  ui.click("Palette/Toggle theme");
  CHECK_FALSE(ui.workspace().look.dark);
  CHECK(ui.workspace().text == text);
}

TEST_CASE("every action has a name of its own and a key of its own, in a presentation and outside") {
  std::set<std::string> titles, keys, presenting;
  for (const Action& action : actions()) {
    INFO(action.title);
    CHECK(titles.insert(action.title).second);
    const bool isPresenters = action.group == std::string("Present");
    for (const ImGuiKeyChord key : {action.key, action.otherKey})
      if (key) CHECK((isPresenters ? presenting : keys).insert(keyText(key)).second);
  }
  std::erase_if(presenting, [&](const std::string& key) { return !keys.contains(key); });
  CHECK(presenting == std::set<std::string>{"B"});  // in a presentation black, as everywhere; see below
}

TEST_CASE("what was typed is found in any case and order, beginnings first, and more words before fewer") {
  const auto score = [](const char* title, const char* typed) {
    return paletteScore(PaletteEntry{.title = title, .about = "", .run = {}}, typed);
  };
  CHECK(score("Block 1 head 2", "HEAD bl") > 0);
  CHECK(score("Block 1 head 2", "tail") < 0);
  CHECK(score("Head", "he") > score("The head", "he"));
  CHECK(score("The head", "he") > score("Ahead", "he"));
  CHECK(score("Block 1 head 2", "second head") > 0);
  CHECK(score("Block 1 head 2", "block head") > score("Block 1", "block head"));
  // In Turkish "I" is the capital of another letter.
  const std::string before = std::setlocale(LC_ALL, nullptr);
  std::setlocale(LC_ALL, "tr_TR.UTF-8");
  CHECK(score("INFLUENCE", "influence") > 0);
  std::setlocale(LC_ALL, before.c_str());
}

TEST_CASE("letters that follow Ctrl P at once are not lost") {
  UiDriver ui;
  ImGuiIO& io = ImGui::GetIO();
  io.AddKeyEvent(ImGuiMod_Ctrl, true);
  io.AddKeyEvent(ImGuiKey_P, true);
  io.AddKeyEvent(ImGuiKey_P, false);
  io.AddKeyEvent(ImGuiMod_Ctrl, false);
  for (const char letter : std::string("theme")) io.AddInputCharacter(static_cast<unsigned>(letter));
  ui.settle();
  ui.type(" tog");
  ui.press(ImGuiKey_Enter);
  CHECK_FALSE(ui.workspace().look.dark);
}

TEST_CASE("the way back leads from a jump to the picture before, with what was chosen there") {
  UiDriver ui;
  ui.click("Arcs");
  ui.press(ImGuiKey_3);
  ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
  ui.type("flip where");
  ui.press(ImGuiKey_Enter);
  REQUIRE(ui.workspace().view == "influence");
  ui.press(ImGuiKey_Backspace, ImGuiMod_Alt);
  CHECK(ui.workspace().view == "residual");
  ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
  ui.type("back to the view");
  ui.press(ImGuiKey_Enter);
  CHECK(ui.workspace().view == "attention");
  CHECK(ui.exists("Stage/arcs"));
  ui.press(ImGuiKey_Backspace, ImGuiMod_Alt);
  ui.press(ImGuiKey_Backspace, ImGuiMod_Alt);
  CHECK_THAT(ui.app().message(), ContainsSubstring("the first view"));
}

TEST_CASE("the program is left by a key") {
  UiDriver ui;
  ui.press(ImGuiKey_Q, ImGuiMod_Ctrl);
  CHECK(ui.app().isClosing());
}

TEST_CASE("the map of keys opens with a question mark and closes with Esc") {
  UiDriver ui;
  ui.type("?");
  CHECK(ui.exists("Close##keys"));
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("keys");
  ui.press(ImGuiKey_Escape);
  CHECK_FALSE(ui.exists("Close##keys"));
  ui.type("?");
  ui.click("Outside", 0.01f, 0.99f);
  CHECK_FALSE(ui.exists("Close##keys"));
}

TEST_CASE("keys pressed together count together, however short and whichever comes up first") {
  UiDriver ui;
  const auto chord = [&](ImGuiKey modifier, ImGuiKey side, ImGuiKey key) {
    ImGuiIO& io = ImGui::GetIO();
    for (const ImGuiKey each : {modifier, side}) io.AddKeyEvent(each, true);
    ui.frames(1);
    io.AddKeyEvent(key, true);
    for (const ImGuiKey each : {modifier, side, key}) io.AddKeyEvent(each, false);
    ui.settle();
  };
  chord(ImGuiMod_Ctrl, ImGuiKey_LeftCtrl, ImGuiKey_P);
  CHECK(ui.exists("Search"));
  ui.press(ImGuiKey_Escape);
  ui.click("Stage view", 0.5f, 0.01f);
  const bool wasOpen = ui.workspace().look.inputOpen;
  chord(ImGuiMod_Shift, ImGuiKey_RightShift, ImGuiKey_M);
  CHECK(ui.exists("Close##model"));
  CHECK(ui.workspace().look.inputOpen == wasOpen);  // which M alone changes
}

TEST_CASE("Tab reaches every control, Enter and Space use it") {
  UiDriver ui;
  std::set<std::string> reached;
  std::string first;
  for (int i = 0; i < 200; ++i) {
    ui.press(ImGuiKey_Tab);
    const std::string name = ui.app().focus().name();
    if (!reached.insert(name).second) break;
    if (first.empty()) first = name;
  }
  CHECK(reached.contains("Top bar/Residual"));
  CHECK(reached.contains("Input/Text"));
  CHECK(reached.contains("Stage/attention"));
  CHECK(reached.contains("Timeline/more##Beams"));
  CHECK(ui.app().focus().name() == first);  // around the end
  while (ui.app().focus().name() != "Top bar/Residual") ui.press(ImGuiKey_Tab);
  ui.screenshot("focus");
  ui.press(ImGuiKey_Enter);
  CHECK(ui.workspace().view == "residual");
  ui.press(ImGuiKey_Tab, ImGuiMod_Shift);
  ui.press(ImGuiKey_Space);
  CHECK(ui.workspace().view == "positions");
  CHECK(ui.workspace().text == initialWorkspace().text);
}

TEST_CASE("arrows move inside a picture that has the mark, and step elsewhere") {
  UiDriver ui;
  while (ui.app().focus().name() != "Stage/attention") ui.press(ImGuiKey_Tab);
  for (int i = 0; i < 4; ++i) ui.press(ImGuiKey_DownArrow);
  for (int i = 0; i < 2; ++i) ui.press(ImGuiKey_RightArrow);
  CHECK(ui.app().hover().query == 4);
  CHECK(ui.app().hover().key == 2);
  ui.screenshot("focus_cell");
  ui.press(ImGuiKey_Enter);
  CHECK(ui.workspace().selection.query == 4);
  CHECK(ui.workspace().selection.key == 2);
  CHECK(ui.workspace().view == "attention");
  ui.press(ImGuiKey_Escape);
  ui.press(ImGuiKey_RightArrow);
  CHECK(ui.workspace().view == "step");
}

TEST_CASE("heads, blocks and tokens are an arrow away") {
  UiDriver ui;
  ui.press(ImGuiKey_DownArrow);
  CHECK(ui.workspace().selection.head == 1);
  ui.press(ImGuiKey_DownArrow, ImGuiMod_Shift);
  CHECK(ui.workspace().selection.layer == 1);
  for (int i = 0; i < 8; ++i) ui.press(ImGuiKey_UpArrow);
  CHECK(ui.workspace().selection.layer == 0);
  CHECK(ui.workspace().selection.head == 0);
  const int last = ui.snapshot().pass->trace->tokenCount() - 1;
  ui.press(ImGuiKey_LeftArrow, ImGuiMod_Shift);
  CHECK(ui.workspace().selection.query == last - 1);
}

TEST_CASE("a slash goes to the text, where keys write") {
  UiDriver ui;
  ui.type("/");
  CHECK(ui.workspace().text == initialWorkspace().text);
  ui.type("!t");
  CHECK(ui.workspace().text.find("!t") != std::string::npos);
  CHECK(ui.workspace().look.dark);
}

TEST_CASE("a presentation is stage and caption, and Esc ends it") {
  for (const bool dark : {true, false}) {
    UiDriver::Options options;
    options.width = 1920, options.height = 1080;
    options.workspace.look.dark = dark;
    UiDriver ui(options);
    ui.press(ImGuiKey_F5);
    CHECK_FALSE(ui.exists("Text"));
    CHECK(ui.exists("attention"));
    CHECK(ui.layoutFaults() == "");
    ui.screenshot(dark ? "presentation_dark" : "presentation_light");
    ui.press(ImGuiKey_2);
    CHECK(ui.workspace().view == "positions");
    ui.press(ImGuiKey_Escape);
    CHECK(ui.exists("Text"));
  }
}

TEST_CASE("a presentation stays live: one types in it, points with light and pen, and darkens the screen") {
  UiDriver ui;
  ui.press(ImGuiKey_G);
  ui.press(ImGuiKey_F5);
  ui.press(ImGuiKey_Slash);
  ui.type("/");
  CHECK(ui.exists("Text"));
  CHECK(ui.layoutFaults() == "");
  ui.type(" So");
  ui.screenshot("presentation_typing");
  CHECK(ui.workspace().text.ends_with(" So"));
  ui.press(ImGuiKey_Escape);
  ui.frames(6);
  CHECK_FALSE(ui.exists("Text"));
  CHECK(ui.exists("attention"));

  const auto lit = ui.pixels();
  ui.press(ImGuiKey_F6);
  ui.hover("attention");
  CHECK(ui.pixels() != lit);
  ui.screenshot("presentation_spotlight");
  ui.press(ImGuiKey_F7);
  const Workspace before = ui.workspace();
  ui.drag("pen", 200, 60);
  ui.screenshot("presentation_pen");
  CHECK(ui.workspace() == before);  // what lies below gets nothing of it
  const auto drawn = ui.pixels();
  ui.press(ImGuiKey_B);
  const auto black = ui.pixels();
  CHECK(std::ranges::count(black, 0) > static_cast<std::ptrdiff_t>(black.size() * 7 / 10));
  CHECK(ui.workspace().decoding == before.decoding);
  ui.press(ImGuiKey_Escape);
  CHECK(ui.pixels() == drawn);
  ui.press(ImGuiKey_Escape);  // strokes
  CHECK(ui.pixels() != drawn);
  ui.press(ImGuiKey_Escape);  // pen
  CHECK_FALSE(ui.exists("pen"));
  ui.press(ImGuiKey_Escape);  // spotlight
  CHECK(ui.exists("attention"));
  CHECK_FALSE(ui.exists("Text"));
  ui.press(ImGuiKey_Escape);
  CHECK(ui.exists("Text"));
  ui.press(ImGuiKey_B);
  CHECK(ui.workspace().decoding.strategy == DecodingStrategy::Beam);
}

TEST_CASE("from a small window at 300 % to 4K every region finds its place") {
  struct Case {
    int width, height;
    float zoom;
  };
  for (const Case& c : {Case{1024, 640, 1}, Case{1280, 720, 2}, Case{1280, 720, 3}, Case{1920, 1080, 2},
                        Case{3840, 2160, 1}, Case{3840, 2160, 3}, Case{1280, 720, 0.75f}}) {
    UiDriver::Options options;
    options.width = c.width, options.height = c.height;
    options.workspace.look.zoom = c.zoom;
    UiDriver ui(options);
    INFO(c.width << " at " << c.zoom);
    CHECK(ui.exists("Stage view"));
    ui.press(ImGuiKey_2);
    CHECK(ui.workspace().view == "positions");
    for (std::size_t i = views().size(); i-- > 0;) {
      ui.press(keyOfView(static_cast<int>(i)));
      INFO(views()[i].id);
      CHECK(ui.layoutFaults().substr(0, 300) == "");
    }
    ui.screenshot("size_" + std::to_string(c.width) + "_" + std::to_string(static_cast<int>(c.zoom * 100)));
  }
}

TEST_CASE("in a narrow window input and inspector are drawers") {
  UiDriver::Options options;
  options.workspace.look.zoom = 2;
  UiDriver ui(options);
  CHECK_FALSE(ui.exists("Text"));
  ui.click("Toggle left panel");
  CHECK(ui.exists("Text"));
  ui.screenshot("drawer_input");
  ui.click("Toggle left panel");
  ui.type("/");  // opens it where it is needed
  CHECK(ui.exists("Text"));
  ui.type("x");
  CHECK(ui.workspace().text == initialWorkspace().text + "x");
}

TEST_CASE("the palette says what an action waits for that cannot be done now, and does not do it") {
  UiDriver ui;
  const Workspace before = ui.workspace();
  ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
  ui.type("freeze this head");
  CHECK(ui.texts().find("with a training run open") != std::string::npos);
  ui.screenshot("palette_waits");
  ui.press(ImGuiKey_Enter);
  CHECK(ui.exists("Search"));
  CHECK(ui.workspace() == before);
  ui.press(ImGuiKey_Escape);
  ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
  CHECK(ui.texts().find("with a training run open") == std::string::npos);  // until one asks for it
  ui.type("freeze another text");
  ui.press(ImGuiKey_Enter);
  CHECK(ui.workspace().settings.pictures.at("influence") == "patch");
}

TEST_CASE("letters that are typed while nothing is edited write, at the end of the text") {
  UiDriver ui;
  REQUIRE(ui.workspace().decoding.strategy == DecodingStrategy::Beam);
  ui.press(ImGuiKey_G);
  ui.click("Text");
  ui.press(ImGuiKey_Escape);
  const Decoding before = ui.workspace().decoding;
  ui.typeKeys("box");
  CHECK(ui.workspace().text == initialWorkspace().text + "box");
  CHECK(ui.workspace().decoding == before);
  CHECK(ui.workspace().interventions.empty());
  ui.press(ImGuiKey_Escape);
  ui.typeKeys("The");
  CHECK(ui.workspace().text == initialWorkspace().text + "boxThe");
  CHECK_FALSE(ui.exists("Close##training"));
}

TEST_CASE("letters are keys once a picture was clicked, and what one changed is said") {
  UiDriver ui;
  ui.click("Stage view", 0.5f, 0.5f);
  ui.typeKeys("g");
  CHECK(ui.workspace().text == initialWorkspace().text);
  CHECK(ui.workspace().decoding.strategy == DecodingStrategy::Greedy);
  CHECK(ui.app().message() == "G: Use greedy decoding. Undo: Ctrl Z");
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("key_said");
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK(ui.workspace().decoding.strategy == initialWorkspace().decoding.strategy);
  ui.press(ImGuiKey_Delete);
  CHECK(ui.app().message() == "Delete: Delete token. Undo: Ctrl Z");
  ui.click("Text");
  ui.press(ImGuiKey_Escape);
  ui.typeKeys("x");
  CHECK(ui.workspace().interventions.empty());  // the text was clicked last
}

TEST_CASE("the message has a line of its own, and covers nothing") {
  UiDriver ui;
  const ItemRecord before = ui.find("Token strip");
  ui.app().open("nowhere.json");
  ui.settle();
  const ItemRecord dismiss = ui.find("Dismiss"), strip = ui.find("Token strip");
  CHECK(strip.max.y <= dismiss.min.y);
  CHECK(before.max.y > dismiss.min.y);
  ui.click("Dismiss");
  CHECK(ui.find("Token strip").max.y == before.max.y);
}

TEST_CASE("Ctrl X takes nothing out of the model, and Ctrl C copies the number pointed at") {
  UiDriver ui;
  ui.click("Stage view", 0.5f, 0.5f);
  ui.press(ImGuiKey_X, ImGuiMod_Ctrl);
  ui.press(ImGuiKey_X, ImGuiMod_Ctrl | ImGuiMod_Shift);
  CHECK(ui.workspace().interventions.empty());
  ui.hover("attention", 0.01f, 0.01f);
  ui.press(ImGuiKey_C, ImGuiMod_Ctrl);
  CHECK(std::string(ImGui::GetClipboardText()) == "1.000");  // the first token sees itself alone
  CHECK(ui.app().message() == "");
}

TEST_CASE("plus and the wheel enlarge with Ctrl, whether or not plus needs Shift") {
  UiDriver ui;
  ui.press(ImGuiKey_Equal, ImGuiMod_Ctrl | ImGuiMod_Shift);
  CHECK(ui.workspace().look.zoom == 1.1f);
  ui.press(ImGuiKey_KeypadAdd, ImGuiMod_Ctrl);
  CHECK(ui.workspace().look.zoom == 1.25f);
  ui.press(ImGuiKey_0, ImGuiMod_Ctrl);
  const Workspace before = ui.workspace();
  ui.hover("attention");
  ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, true);
  ui.wheel("attention", 1);
  CHECK(ui.workspace().look.zoom == 1.1f);
  CHECK(ui.workspace().settings == before.settings);
  ui.wheel("attention", -1);
  CHECK(ui.workspace().look.zoom == 1);
  ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, false);
}
