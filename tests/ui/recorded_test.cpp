#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <map>

#include "app/document/session.h"
#include "app/document/trace_file.h"
#include "app/engine/model_library.h"
#include "app/panels/action.h"
#include "app/views/views.h"
#include "tests/core/io/temporary_folder.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::filesystem::path recorded = SOURCE_FOLDER "/tests/reference/recorded";

UiDriver::Options optionsFor(int width, bool dark) {
  UiDriver::Options options;
  options.width = width, options.height = width * 9 / 16;
  options.workspace.look.dark = dark;
  options.loader = [](const std::string& name, const ProgressCallback& watch) {
    return isTraceFile(name) ? ModelLibrary("").loadOrTrace(name, watch) : smallModel(name, watch);
  };
  return options;
}

}  // namespace

TEST_CASE(
    "a trace from elsewhere is dropped onto the window, and every view shows it or says what it needs") {
  for (const auto& [width, dark] : {std::pair{1280, true}, std::pair{1920, false}}) {
    UiDriver ui(optionsFor(width, dark));
    const std::string text = ui.workspace().text;
    ui.app().open(recorded / "whole.npz");
    ui.settle();
    CHECK(ui.app().message() == "");
    CHECK(ui.snapshot().model->hasNoWeights());
    const std::string size = std::to_string(width);
    for (std::size_t i = 0; i < views().size(); ++i) {
      if (i >= static_cast<std::size_t>(keysOfViews)) break;
      ui.press(keyOfView(static_cast<int>(i)));
      INFO(views()[i].id);
      CHECK(ui.layoutFaults() == "");
      ui.screenshot("recorded_" + std::string(views()[i].id) + "_" + size);
    }
    ui.app().open(recorded / "other.npz");
    ui.settle();
    CHECK(ui.workspace().tabCount() == 2);
    ui.press(ImGuiKey_1);
    ui.press(ImGuiKey_D);
    CHECK(ui.snapshot().difference);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("recorded_difference_" + size);
    ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
    ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
    CHECK(ui.workspace().text == text);
    CHECK_FALSE(ui.snapshot().model->hasNoWeights());
  }
}

TEST_CASE(
    "what a trace from elsewhere cannot do, by key or in the text field, says why; no action harms it") {
  UiDriver ui(optionsFor(1280, true));
  ui.app().open(recorded / "whole.npz");
  ui.settle();
  const Workspace before = ui.workspace();
  const auto refuses = [&](ImGuiKey key, int modifiers = 0) {
    ui.press(key, modifiers);
    INFO(ImGui::GetKeyName(key));
    CHECK_THAT(ui.app().message(), ContainsSubstring("ecorded activations"));
    CHECK(ui.workspace().content() == before.content());
    ui.click("Dismiss");
  };
  refuses(ImGuiKey_X);
  refuses(ImGuiKey_Delete);
  refuses(ImGuiKey_G);
  refuses(ImGuiKey_M, ImGuiMod_Shift);
  refuses(ImGuiKey_C, ImGuiMod_Shift);
  refuses(ImGuiKey_T, ImGuiMod_Ctrl);
  ui.press(ImGuiKey_L, ImGuiMod_Ctrl);
  ui.type("x");
  CHECK_THAT(ui.app().message(), ContainsSubstring("cannot be edited"));
  ui.screenshot("recorded_refused");
  ui.press(ImGuiKey_Escape);
  for (const char* file : {"whole.npz", "part.safetensors"}) {
    ui.app().open(recorded / file);
    ui.settle();
    for (const Action& action : actions()) {
      if (action.key == 0 || std::string_view(action.id) == "close-tab") continue;
      const auto key = static_cast<ImGuiKey>(action.key & ~ImGuiMod_Mask_);
      ui.press(key, action.key & ImGuiMod_Mask_);
      ui.press(ImGuiKey_Escape);
      if (!ui.snapshot().model->hasNoWeights()) ui.app().open(recorded / file), ui.settle();
    }
  }
}

TEST_CASE(
    "every control of every view is pressed while a trace from elsewhere is open; only its tabs change") {
  UiDriver ui(optionsFor(1280, false));
  int pressed = 0;
  for (const char* file : {"whole.npz", "part.safetensors"}) {
    ui.app().open(recorded / file);
    ui.settle();
    for (const View& view : views())
      for (const Picture& picture : view.pictures) {
        Workspace state = ui.workspace();
        state.view = view.id, state.settings.pictures[view.id] = picture.id;
        const TemporaryFolder folder;
        REQUIRE(saveSession(folder / "state.json", state));
        ui.app().open(folder / "state.json");
        ui.settle();
        std::map<std::string, ItemRecord> families;  // of controls that share their code the last
        for (const ItemRecord& item : ui.items())
          if (item.window == "Stage")
            families.insert_or_assign(item.label.substr(0, item.label.find(' ')), item);
        for (const auto& [family, item] : families) {
          if (!ui.canClick(item)) continue;
          ui.hover(item);
          ui.click(item);
          ++pressed;
          INFO(view.id << " " << picture.id << " " << item.label);
          CHECK(ui.workspace().model == state.model);
          CHECK(ui.workspace().interventions.empty());
          CHECK(ui.workspace().text == state.text);
          if (ui.workspace().view != view.id) break;
        }
      }
  }
  CHECK(pressed > 100);
}

TEST_CASE("a session with a trace opens again with it, and without its file everything else is there") {
  const TemporaryFolder folder;
  std::filesystem::copy_file(recorded / "whole.npz", folder / "mine.npz");
  Workspace kept;
  {
    UiDriver ui(optionsFor(1280, true));
    ui.app().open(folder / "mine.npz");
    ui.press(ImGuiKey_3);
    kept = ui.workspace();
    REQUIRE(saveSession(folder / "session.json", kept));
  }
  auto options = optionsFor(1280, true);
  auto restored = restoreSession(folder / "session.json");
  CHECK(restored.workspace == kept);
  options.workspace = restored.workspace;
  {
    UiDriver ui(options);
    CHECK(ui.snapshot().model->name == "mine");
    CHECK(ui.workspace().view == kept.view);
  }
  std::filesystem::remove(folder / "mine.npz");
  UiDriver ui(options);
  CHECK_THAT(ui.app().message(), ContainsSubstring("mine.npz"));
  CHECK(ui.workspace().text == initialWorkspace().text);
  CHECK(ui.snapshot().pass->hasTrace());
}

TEST_CASE("a trace that is held against the open model is seen beside it in every view, and let go again") {
  const std::filesystem::path formats = SOURCE_FOLDER "/tests/reference/formats";
  for (const auto& [width, dark] : {std::pair{1280, true}, std::pair{1920, false}}) {
    UiDriver::Options options = optionsFor(width, dark);
    options.workspace.model = (formats / "llama").string(), options.workspace.text = "the cat";
    options.loader = [](const std::string& name, const ProgressCallback& watch) {
      return ModelLibrary("").loadOrTrace(name, watch);
    };
    UiDriver ui(options);
    ui.app().open(formats / "llama.npz");
    ui.await([&] { return ui.exists("See them together"); });
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("check_see_together_" + std::to_string(width));
    ui.click("See them together");
    ui.settle();
    REQUIRE(ui.snapshot().other);
    CHECK(ui.snapshot().other->model->name == "llama.npz");
    CHECK(ui.exists("llama.npz##with"));
    const bool difference = !dark;
    if (difference) ui.press(ImGuiKey_D);
    CHECK((ui.snapshot().difference != nullptr) == difference);
    for (int i = 0; i < keysOfViews && i < static_cast<int>(views().size()); ++i) {
      ui.press(keyOfView(i));
      const std::string view = views()[static_cast<std::size_t>(i)].id;
      INFO(view << difference);
      CHECK(ui.layoutFaults() == "");
      ui.screenshot("beside_trace_" + view + (difference ? "_difference" : ""));
    }
    ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
    CHECK(ui.workspace().recordedTrace.empty());
    CHECK_FALSE(ui.workspace().comparison.isOn());
    // By name, from a file that is chosen.
    ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
    ui.type("Compare with a trace");
    ui.press(ImGuiKey_Enter);
    ui.press(ImGuiKey_A, ImGuiMod_Ctrl);
    ui.type((formats / "llama_typed.npz").string());
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("compare_with_trace_" + std::to_string(width));
    ui.press(ImGuiKey_Enter);
    ui.settle();
    INFO(ui.app().message() << ui.snapshot().standing.error << ui.workspace().recordedTrace);
    REQUIRE(ui.snapshot().other);
    CHECK(ui.snapshot().other->model->name == "llama_typed.npz");
    ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
    ui.type("Let the trace compared");
    ui.press(ImGuiKey_Enter);
    CHECK(ui.workspace().recordedTrace.empty());
  }
}
