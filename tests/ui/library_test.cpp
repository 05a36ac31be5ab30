#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <filesystem>
#include <fstream>

#include "app/engine/model_library.h"
#include "core/model/model_size.h"
#include "tests/core/io/temporary_folder.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

const ModelLibrary& library() {
  static const ModelLibrary models{"tests"};
  return models;
}

UiDriver::Options withLibrary(bool dark) {
  UiDriver::Options options;
  options.width = dark ? 1920 : 1280, options.height = dark ? 1080 : 720;
  options.workspace.look.dark = dark;
  options.models = library().builtIn();
  options.loader = [](const std::string& model, const ProgressCallback& watch) {
    return library().load(model, watch);
  };
  return options;
}

}  // namespace

TEST_CASE("the library shows what each model is, and opens it trained or untrained") {
  for (const bool dark : {true, false}) {
    UiDriver ui(withLibrary(dark));
    const std::string name = dark ? "_dark" : "_light";
    ui.press(ImGuiKey_O, ImGuiMod_Shift);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("library_stories" + name);
    ui.click("translate##model translate");
    CHECK(ui.workspace().model == "stories");
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("library_translate" + name);
    ui.click("Open##library");
    CHECK(ui.workspace().model == "translate");
    CHECK(ui.snapshot().model->config->isEncoderDecoder());

    ui.press(ImGuiKey_O, ImGuiMod_Shift);
    ui.click("stories##model stories");
    ui.click("Open untrained##library");
    CHECK(ui.workspace().model == "stories");
    CHECK(ui.snapshot().model->freshValues == parameterCount(*ui.snapshot().model->config));
    ui.press(ImGuiKey_M, ImGuiMod_Shift);
    ui.click("Weights##section");
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("model_panel_untrained" + name);
    ui.click("Models…##model");
    ui.click("Open##library");
    CHECK(ui.workspace().changes.empty());
    ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
    CHECK(ui.workspace().changes.size() == 1);
  }
}

TEST_CASE("a family of models lies in the library beside the others, each with what it reached") {
  for (const bool dark : {true, false}) {
    UiDriver ui(withLibrary(dark));
    const std::string name = dark ? "_dark" : "_light";
    ui.press(ImGuiKey_O, ImGuiMod_Shift);
    ui.click("Library/positions/alibi##model positions/alibi");
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("library_positions" + name);
    ui.click("Open##library");
    CHECK(ui.workspace().model == "positions/alibi");
    CHECK(ui.snapshot().model->name == "positions/alibi");
    CHECK(ui.workspace().text == "qmbxzfqmb");
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("opened_positions" + name);
    for (const char* model : {"induction", "sort"}) {
      ui.press(ImGuiKey_O, ImGuiMod_Shift);
      ui.click(std::string("Library/") + model + "##model " + model);
      CHECK(ui.layoutFaults() == "");
      ui.screenshot(std::string("library_") + model + name);
      ui.click("Open##library");
      CHECK(ui.layoutFaults() == "");
      ui.screenshot(std::string("opened_") + model + name);
    }
  }
}

TEST_CASE("models that were open lately are in the library, and one that is damaged says why") {
  const TemporaryFolder folder;
  fs::create_directories(folder / "damaged");
  fs::copy(library().builtIn().front().folder, folder / "copied");
  std::ofstream(folder / "damaged" / "config.json") << R"({"model_type": "gpt2", "n_layer": 0})";
  std::ofstream(folder / "recent.txt") << (folder / "damaged").string() << '\n'
                                       << (folder / "copied").string() << '\n'
                                       << (folder / "lost").string() << '\n';
  UiDriver::Options options = withLibrary(true);
  options.recent = folder / "recent.txt";
  UiDriver ui(options);
  ui.press(ImGuiKey_O, ImGuiMod_Shift);
  const std::string copied = (folder / "copied").string();
  const std::string damagedRow = "Library/damaged##model " + (folder / "damaged").string(),
                    copiedRow = "Library/copied##model " + copied;
  CHECK_FALSE(ui.exists("Library/lost##model " + (folder / "lost").string()));
  ui.wheel("Library/letters##model letters", -20);
  ui.click(damagedRow);
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("library_damaged");
  ui.click(damagedRow);
  CHECK(ui.workspace().model == "stories");
  ui.press(ImGuiKey_DownArrow);
  ui.press(ImGuiKey_Enter);
  CHECK(ui.workspace().model == copied);
  CHECK(ui.snapshot().model->name == "copied");
}

TEST_CASE("what another implementation computed is held against the open model, in both themes and sizes") {
  const ModelLibrary library(SOURCE_FOLDER "/build");
  const std::filesystem::path formats = SOURCE_FOLDER "/tests/reference/formats";
  for (const auto& [width, dark] : {std::pair{1280, true}, std::pair{1920, false}}) {
    UiDriver::Options options;
    options.width = width, options.height = width * 9 / 16;
    options.loader = [&](const std::string& name, const ProgressCallback& watch) {
      return library.load(name, watch);
    };
    options.workspace.model = (formats / "llama").string();
    options.workspace.look.dark = dark;
    {
      UiDriver ui(options);
      ui.app().open(formats / "llama.npz");
      ui.app().finishFiles();
      ui.frames(2);
      CHECK_THAT(ui.texts(), ContainsSubstring("llama agrees") && ContainsSubstring("all 17 agree to"));
      CHECK(ui.layoutFaults() == "");
      ui.screenshot("check_agrees_" + std::to_string(width));
      ui.press(ImGuiKey_Escape);
      CHECK_FALSE(ui.exists("Close##check"));
    }
    options.workspace.changes = {{"scale_attn_weights", "no"}};
    UiDriver changed(options);
    changed.app().open(formats / "llama.npz");
    changed.app().finishFiles();
    changed.frames(2);
    CHECK_THAT(changed.texts(),
               ContainsSubstring("differs") && ContainsSubstring("explained by: Scale by 1/√K: Yes"));
    CHECK(changed.layoutFaults() == "");
    changed.screenshot("check_differs_" + std::to_string(width));
  }
}
