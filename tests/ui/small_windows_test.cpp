// Dialogs in small windows and at large zooms: all of each is in sight.
#include <catch2/catch_test_macros.hpp>

#include "app/engine/training.h"
#include "tests/core/io/temporary_folder.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;
namespace fs = std::filesystem;

namespace {

struct SmallWindow {
  int width, height;
  float zoom;
};
constexpr SmallWindow smallWindows[] = {{800, 600, 1},     {1366, 768, 1.5f}, {1280, 720, 1.75f},
                                        {1280, 720, 2.5f}, {1280, 720, 3},    {1920, 1080, 3}};

struct Dialog {
  const char* name;
  ImGuiKey key;
  int modifiers;
  const char* does;  ///< what it is opened for
};
constexpr Dialog dialogs[] = {{"train", ImGuiKey_T, ImGuiMod_Shift, "Start##training"},
                              {"export", ImGuiKey_E, ImGuiMod_Ctrl, "Save##export"},
                              {"start", ImGuiKey_Home, ImGuiMod_Ctrl, "Open a file …##start"},
                              {"library", ImGuiKey_O, ImGuiMod_Shift, "Open##library"},
                              {"model", ImGuiKey_M, ImGuiMod_Shift, "Close##model"},
                              {"lessons", ImGuiKey_L, ImGuiMod_Shift, "Open a file …##lessons"}};

}  // namespace

TEST_CASE("every dialog is seen as a whole in a small window and at every zoom") {
  const TemporaryFolder folder;
  static const ModelLibrary library(fs::path(SOURCE_FOLDER) / "app");
  for (const SmallWindow& window : smallWindows) {
    UiDriver::Options options;
    options.width = window.width, options.height = window.height;
    options.workspace.look.zoom = window.zoom;
    options.models = library.builtIn();
    options.loader = [](const std::string& name, const ProgressCallback& watch) {
      return library.load(name, watch);
    };
    options.lessons = fs::path(SOURCE_FOLDER) / "assets" / "lessons";
    options.runs = folder / "runs";
    UiDriver ui(options);
    ui.screenshot("small_window_" + std::to_string(window.width) + "_" +
                  std::to_string(static_cast<int>(window.zoom * 100)));
    CHECK(ui.layoutFaults() == "");
    if (window.zoom > 1) CHECK(ui.canClick(ui.find("Zoom out")));
    for (const Dialog& dialog : dialogs) {
      const std::string name = std::string(dialog.name) + "_" + std::to_string(window.width) + "_" +
                               std::to_string(static_cast<int>(window.zoom * 100));
      INFO(name);
      ui.press(dialog.key, dialog.modifiers);
      REQUIRE(ui.exists(dialog.does));
      CHECK(ui.canClick(ui.find(dialog.does)));
      CHECK(ui.layoutFaults() == "");
      CHECK(ui.textsBelow(9) == "");
      ui.screenshot("small_window_" + name);
      ui.press(ImGuiKey_Escape);
    }
  }
}
