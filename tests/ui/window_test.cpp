#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "app/document/session.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("the window opens on a sentence with its tokens") {
  UiDriver ui({.width = 1920, .height = 1080});
  CHECK(ui.snapshot().pass->text == initialWorkspace().text);
  CHECK(ui.snapshot().pass->tokens.size() > 10);
  CHECK(ui.snapshot().pass->hasTrace());
  ui.screenshot("start_1920");
}

TEST_CASE("typing changes the text and the trace follows; undo brings it back") {
  UiDriver ui;
  const auto before = ui.snapshot().pass->trace;
  ui.click("Text", 0.9f, 0.9f);  // behind the last word
  ui.type(" größer ∞");
  CHECK(ui.workspace().text == initialWorkspace().text + " größer ∞");
  CHECK(ui.snapshot().pass->text == ui.workspace().text);
  CHECK(ui.snapshot().pass->trace != before);
  CHECK(ui.snapshot().pass->trace->tokenCount() > before->tokenCount());
  ui.screenshot("typing");
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK(ui.workspace().text == initialWorkspace().text);
  ui.click("Redo");
  CHECK_THAT(ui.workspace().text, ContainsSubstring("größer"));
}

TEST_CASE("select all, cut and paste work as everywhere") {
  UiDriver ui;
  ui.click("Text");
  ui.press(ImGuiKey_A, ImGuiMod_Ctrl);
  ui.press(ImGuiKey_X, ImGuiMod_Ctrl);
  CHECK(ui.workspace().text.empty());
  CHECK_FALSE(ui.snapshot().pass->hasTrace());
  ui.screenshot("empty_text");
  ui.press(ImGuiKey_V, ImGuiMod_Ctrl);
  CHECK(ui.workspace().text == initialWorkspace().text);
}

TEST_CASE("a hundred thousand characters are taken, and the model reads its context") {
  UiDriver ui;
  std::string text;
  while (text.size() < 100000) text += "The street was wide. ";
  ImGui::SetClipboardText(text.c_str());
  ui.click("Text");
  ui.press(ImGuiKey_A, ImGuiMod_Ctrl);
  ui.press(ImGuiKey_V, ImGuiMod_Ctrl);
  CHECK(ui.workspace().text == text);
  CHECK(ui.snapshot().pass->trace->tokenCount() == ui.snapshot().model->config->context);
  ui.screenshot("long_text");
}

TEST_CASE("the layer stepper walks the forward pass by button, key and map") {
  UiDriver ui;
  ui.click("Next operation");
  CHECK(ui.step() == 1);
  ui.press(ImGuiKey_RightArrow);
  CHECK(ui.step() == 2);
  ui.press(ImGuiKey_LeftArrow);
  CHECK(ui.step() == 1);
  CHECK(ui.workspace().view == "step");
  ui.click("map 4");  // attention of block 0
  CHECK(ui.step() == 4);
  for (int i = 0; i < 5; ++i) ui.press(ImGuiKey_RightArrow);
  CHECK(ui.step() == 9);
  ui.screenshot("step_softmax");
}

TEST_CASE("pointing at a cell shows its value in the tooltip and lights up its tokens") {
  UiDriver ui;
  for (int i = 0; i < 10; ++i) ui.press(ImGuiKey_RightArrow);
  ui.hover("step tensor", 0.33f, 0.65f);
  const Target& target = ui.app().hover();
  const int count = ui.snapshot().pass->trace->tokenCount();
  CHECK(target.query == static_cast<int>(0.65f * static_cast<float>(count)));
  CHECK(target.key == static_cast<int>(0.33f * static_cast<float>(count)));
  CHECK(target.cell.tensor == "blocks.0.attn.hook_pattern");
  ui.screenshot("hover_cell");
}

TEST_CASE("what a button says is out of the way of what its click brings, until it is pointed at again") {
  UiDriver ui;
  const auto saysOnce = [&](const char* button, const char* words) {
    INFO(button);
    ui.hover(button);
    CHECK_THAT(ui.tooltip(), ContainsSubstring(words));
    ui.click(button);
    CHECK(ui.tooltip() == "");
    ui.hover("Text");
    ui.hover(button);
    CHECK_THAT(ui.tooltip(), ContainsSubstring(words));
  };
  saysOnce("Residual", "Every sublayer adds");
  saysOnce("Attention", "Attention of every token");
  saysOnce("Arcs", "One arc per attention weight");  // a choice within the picture
}

TEST_CASE("theme and zoom change at once and are remembered as look, not undone") {
  UiDriver ui;
  ui.click("Toggle theme");
  CHECK_FALSE(ui.workspace().look.dark);
  ui.screenshot("light");
  ui.click("Zoom in");
  ui.click("Zoom in");
  CHECK(ui.workspace().look.zoom == Approx(1.25f));
  CHECK_FALSE(ui.app().history().canUndo());
  ui.screenshot("light_zoomed");
}

TEST_CASE("high contrast is found by name, holds in both themes, and is remembered") {
  const auto file = std::filesystem::temp_directory_path() / "glassformer-ui-contrast" / "session.json";
  std::filesystem::remove_all(file.parent_path());
  const auto cornerOf = [](UiDriver& ui) {  // of the left panel, where nothing stands
    const auto pixels = ui.pixels();
    const std::size_t width = 1280, at = 4 * (600 * width + 4);
    return Rgba{pixels[at], pixels[at + 1], pixels[at + 2], 255};
  };
  {
    UiDriver ui({.session = file});
    CHECK_FALSE(cornerOf(ui) == Rgba{0, 0, 0, 255});
    ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
    ui.type("contrast");
    ui.click("Palette/High contrast");
    CHECK(cornerOf(ui) == Rgba{0, 0, 0, 255});
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("high_contrast_dark");
    ui.click("Toggle theme");
    CHECK(cornerOf(ui) == Rgba{255, 255, 255, 255});
    ui.screenshot("high_contrast_light");
  }
  CHECK(restoreSession(file).workspace.look.contrast);
  std::filesystem::remove_all(file.parent_path());
}

TEST_CASE("regions are resized by their edges") {
  UiDriver ui;
  const float before = ui.workspace().look.leftWidth;
  ui.drag("Left edge", 60, 0);
  CHECK(ui.workspace().look.leftWidth == Approx(before + 60).margin(2));
  ui.drag("Left edge", -5000, 0);
  CHECK(ui.workspace().look.leftWidth >= 200);
}

TEST_CASE("a model that cannot be read is a message, and the text stays") {
  UiDriver ui({.loader = [](const std::string&, const ProgressCallback&) -> Result<LoadedModel> {
    return Error{"neither a built-in model", "stories", "build it with: glassformer train stories"};
  }});
  CHECK_FALSE(ui.snapshot().model->config);
  CHECK_THAT(ui.snapshot().standing.error, ContainsSubstring("neither a built-in model"));
  CHECK(ui.workspace().text == initialWorkspace().text);
  ui.screenshot("no_model");
}

TEST_CASE("a message can be dismissed") {
  UiDriver ui({.message = "The last session could not be read"});
  ui.screenshot("message");
  ui.click("Dismiss");
  CHECK(ui.app().message().empty());
}

TEST_CASE("a long message is read to its end, and fits the window") {
  std::string words;
  for (int i = 0; i < 60; ++i) words += "reason" + std::to_string(i) + " ";
  for (const int width : {1920, 1280}) {
    UiDriver ui({.width = width,
                 .height = 720,
                 .loader = [&](const std::string&, const ProgressCallback&) -> Result<LoadedModel> {
                   return Error{words + "last", "stories", "get it anew"};
                 }});
    const std::string said = ui.texts();
    for (int i = 0; i < 60; ++i) CHECK_THAT(said, ContainsSubstring("reason" + std::to_string(i)));
    CHECK_THAT(said, ContainsSubstring("get it anew"));
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("long_message_" + std::to_string(width));
  }
}

TEST_CASE("at rest no further frame is due") {
  UiDriver ui;
  ui.settle();
  CHECK_FALSE(ui.app().restless());
}

TEST_CASE("in a narrow window the inspector is a drawer") {
  UiDriver ui({.width = 1100, .height = 720});
  ui.press(ImGuiKey_RightArrow);
  CHECK_FALSE(ui.app().history().current().look.inspectorOpen);
  ui.click("Top bar/Toggle inspector");
  CHECK(ui.workspace().look.inspectorOpen);
  ui.hover("step tensor", 0.2f, 0.5f);
  ui.screenshot("drawer");
  ui.click("Top bar/Toggle inspector");
  CHECK_FALSE(ui.workspace().look.inspectorOpen);
}

TEST_CASE("the session is written down and restored") {
  const auto file = std::filesystem::temp_directory_path() / "glassformer-ui-session" / "session.json";
  std::filesystem::remove_all(file.parent_path());
  {
    UiDriver ui({.session = file});
    ui.click("Text", 0.9f, 0.9f);
    ui.type(" Hi");
    ui.click("Toggle theme");
  }
  const RestoredSession restored = restoreSession(file);
  CHECK(restored.workspace.text == initialWorkspace().text + " Hi");
  CHECK_FALSE(restored.workspace.look.dark);
  std::filesystem::remove_all(file.parent_path());
}

TEST_CASE("what is pressed and let go between two frames is seen to the end without another event") {
  UiDriver ui;
  ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
  ui.frames();
  REQUIRE(ui.exists("Search"));
  ImGui::GetIO().AddKeyEvent(ImGuiKey_Escape, true);
  ImGui::GetIO().AddKeyEvent(ImGuiKey_Escape, false);
  ui.app().frame();
  for (int i = 0; i < 10 && ui.app().restless(); ++i) ui.app().frame();  // as the window does
  CHECK(!ImGui::IsKeyDown(ImGuiKey_Escape));
  CHECK(!ui.exists("Search"));
}

namespace {

// Presses and lets go with the frames alone that the window draws of itself.
void clickAsTheWindow(UiDriver& ui, const char* label, float x = 0.5f, float y = 0.5f) {
  const ItemRecord item = ui.find(label);
  ImGuiIO& io = ImGui::GetIO();
  io.AddMousePosEvent(item.min.x + (item.max.x - item.min.x) * x, item.min.y + (item.max.y - item.min.y) * y);
  ui.asTheWindow();
  for (const bool down : {true, false}) {
    io.AddMouseButtonEvent(0, down);
    ui.asTheWindow();
  }
}

}  // namespace

TEST_CASE("what a click closes is gone from the screen without another event") {
  UiDriver ui;
  struct Case {
    ImGuiKey key;
    int modifiers;
    const char* close;
    const char* item;
  };
  for (const Case& c : {Case{ImGuiKey_P, ImGuiMod_Ctrl, "Outside", "Search"},
                        Case{ImGuiKey_H, ImGuiMod_Ctrl, "Outside", "Close##history"},
                        Case{ImGuiKey_F1, 0, "Outside", "Outside"},
                        Case{ImGuiKey_M, ImGuiMod_Shift, "Close##model", "Close##model"}}) {
    INFO(c.item);
    ui.press(c.key, c.modifiers);
    REQUIRE(ui.exists(c.item));
    clickAsTheWindow(ui, c.close, std::string(c.close) == "Outside" ? 0.01f : 0.5f,
                     std::string(c.close) == "Outside" ? 0.99f : 0.5f);
    CHECK_FALSE(ui.exists(c.item));
  }
}

namespace {

UiDriver::Options withDamagedModel() {
  UiDriver::Options options;
  options.loader = [](const std::string& name, const ProgressCallback& watch) -> Result<LoadedModel> {
    if (name.ends_with("damaged")) return Error{"the weights end early", name, "copy the folder again"};
    return smallModel(name, watch);
  };
  options.models = {{"small", ""}, {"damaged", ""}};
  return options;
}

}  // namespace

TEST_CASE("a damaged model is refused, and what was there stays: text, tabs, tree and selection") {
  UiDriver ui(withDamagedModel());
  ui.click("New tab");
  ui.type("The dog sang.");
  ui.press(ImGuiKey_Escape);
  ui.click("token 1");
  const Workspace before = ui.workspace();
  const int states = ui.app().history().stateCount();
  ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
  ui.type("open model damaged");
  ui.press(ImGuiKey_Enter);
  ui.settle();
  CHECK(ui.workspace() == before);
  CHECK(ui.app().history().stateCount() == states);
  CHECK_THAT(ui.app().message(), ContainsSubstring("the weights end early"));
  REQUIRE(ui.snapshot().model->config);
  CHECK(ui.snapshot().pass->hasTrace());
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("damaged_model");
  ui.click("Dismiss");
  CHECK(ui.snapshot().standing.error.empty());
  ui.click("token 0");
  CHECK(ui.workspace().selection.query == 0);
}

TEST_CASE("a session with a damaged model keeps its texts, beside the model that was open") {
  const auto file = std::filesystem::temp_directory_path() / "glassformer-ui-damaged" / "session.json";
  std::filesystem::remove_all(file.parent_path());
  Workspace damaged = initialWorkspace();
  damaged.model = "/somewhere/damaged", damaged.text = "Kept.", damaged.aside = {"Kept as well."};
  REQUIRE(saveSession(file, damaged));
  {
    UiDriver ui(withDamagedModel());
    const std::string model = ui.workspace().model;
    ui.app().open(file);
    ui.settle();
    CHECK(ui.workspace().text == "Kept.");
    CHECK(ui.workspace().aside == damaged.aside);
    CHECK(ui.workspace().model == model);
    CHECK(ui.snapshot().pass->text == "Kept.");
    CHECK_THAT(ui.app().message(), ContainsSubstring("the weights end early"));
  }
  UiDriver::Options start = withDamagedModel();  // as the one that is gone on with
  start.workspace = damaged;
  UiDriver again(start);
  again.settle();
  CHECK(again.workspace().model == "stories");
  CHECK(again.snapshot().pass->text == "Kept.");
  CHECK_THAT(again.app().message(), ContainsSubstring("the weights end early"));
  std::filesystem::remove_all(file.parent_path());
}

TEST_CASE("a model that is refused before the first frame is refused all the same") {
  struct PromptEngine : Engine {
    using Engine::Engine;
    void request(const Workspace& workspace, std::uint64_t revision) override {
      Engine::request(workspace, revision);
      finish();
    }
  };
  auto engine = std::make_shared<PromptEngine>(
      withDamagedModel().loader, [] {}, neededFor);
  Workspace damaged = initialWorkspace();
  damaged.model = "/somewhere/damaged";
  auto surface = openHeadless(1280, 720);
  REQUIRE(surface);
  Application app(std::move(*surface), engine, damaged, {});
  app.frame(false);
  CHECK(app.history().current().model == "stories");
  CHECK_THAT(app.message(), ContainsSubstring("the weights end early"));
}

TEST_CASE("what is chosen stays with its token while one writes before it, and the last one the last") {
  UiDriver ui;
  ui.press(ImGuiKey_Enter);
  ui.press(ImGuiKey_Home, ImGuiMod_Ctrl);
  ui.type("So ");
  CHECK(ui.workspace().selection.query == -1);
  ui.press(ImGuiKey_Escape);
  const int street = [&] {
    for (int i = 0; i < static_cast<int>(ui.snapshot().pass->tokens.size()); ++i)
      if (ui.snapshot().model->bytesOf(
              std::span(&ui.snapshot().pass->tokens[static_cast<std::size_t>(i)].id, 1)) == " was")
        return i;
    return -1;
  }();
  REQUIRE(street > 2);
  ui.click("token " + std::to_string(street));
  const int id = ui.snapshot().pass->tokens[static_cast<std::size_t>(street)].id;
  ui.click("Text", 0.1f, 0.15f);  // sets the caret, and chooses nothing
  CHECK(ui.workspace().selection.query == street);
  ui.press(ImGuiKey_Home, ImGuiMod_Ctrl);
  ui.type("Then then ");
  CHECK(ui.workspace().selection.query > street);
  CHECK(ui.snapshot().pass->tokens[static_cast<std::size_t>(ui.workspace().selection.query)].id == id);
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  ui.settle();
  CHECK(ui.snapshot().pass->tokens[static_cast<std::size_t>(ui.workspace().selection.query)].id == id);
}
