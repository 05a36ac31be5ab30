#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <fstream>

#include "app/document/session.h"
#include "app/engine/model_library.h"
#include "tests/core/io/temporary_folder.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("a session is saved where one says, and opens from there with its view as it was") {
  const TemporaryFolder folder;
  UiDriver::Options options;
  options.recent = folder.path() / "recent.txt";
  const std::string file = (folder.path() / "lecture.json").string();
  {
    UiDriver ui(options);
    ui.click("Positions");
    ui.press(ImGuiKey_S, ImGuiMod_Ctrl);
    ui.press(ImGuiKey_A, ImGuiMod_Ctrl);
    ui.type(file);
    ui.screenshot("save_session");
    ui.press(ImGuiKey_Enter);
    CHECK_FALSE(ui.exists("Save##path"));
    CHECK(std::filesystem::exists(file));
  }
  UiDriver ui(options);
  CHECK(ui.workspace().view == "attention");
  ui.press(ImGuiKey_O, ImGuiMod_Ctrl);
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("open");
  ui.press(ImGuiKey_DownArrow);  // the first one is the recent one
  ui.press(ImGuiKey_Enter);
  CHECK_FALSE(ui.exists("Open##path"));
  CHECK(ui.workspace().view == "positions");
}

TEST_CASE(
    "what was saved is saved there again, another file is replaced only when that is said, no folder is "
    "made") {
  const TemporaryFolder folder;
  const auto contentOf = [&](const char* name) {
    std::ifstream file(folder.path() / name);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  std::ofstream(folder.path() / "mine.json") << "precious";
  UiDriver ui;
  const auto saveAs = [&](const std::string& name) {
    ui.press(ImGuiKey_S, ImGuiMod_Ctrl | ImGuiMod_Shift);
    ui.press(ImGuiKey_A, ImGuiMod_Ctrl);
    ui.type((folder.path() / name).string());
    ui.press(ImGuiKey_Enter);
  };
  ui.press(ImGuiKey_S, ImGuiMod_Ctrl);
  ui.click("Cancel##path");
  CHECK_FALSE(ui.exists("Save##path"));
  saveAs("mine.json");
  CHECK_THAT(ui.texts(), ContainsSubstring("Replace mine.json?"));
  ui.screenshot("replace_file");
  CHECK(ui.layoutFaults() == "");
  ui.click("Cancel##replace");
  CHECK(contentOf("mine.json") == "precious");
  ui.press(ImGuiKey_Escape);
  saveAs("deep/mine.json");
  CHECK_THAT(ui.texts(), ContainsSubstring("does not exist"));
  CHECK_FALSE(std::filesystem::exists(folder.path() / "deep"));
  ui.press(ImGuiKey_Escape);
  saveAs("mine.json");
  ui.click("Replace");
  CHECK(contentOf("mine.json") != "precious");
  CHECK(ui.app().message() == "Saved to mine.json.");
  const std::string before = contentOf("mine.json");
  ui.press(ImGuiKey_3);
  ui.press(ImGuiKey_S, ImGuiMod_Ctrl);
  CHECK_FALSE(ui.exists("Save##path"));
  CHECK(contentOf("mine.json") != before);
}

TEST_CASE("folders are gone into, and a path is completed with Tab") {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "texts");
  std::ofstream(folder.path() / "texts" / "story.txt") << "Once upon a time.";
  UiDriver ui;
  ui.press(ImGuiKey_O, ImGuiMod_Ctrl);
  ui.press(ImGuiKey_A, ImGuiMod_Ctrl);
  ui.type((folder.path() / "te").string());
  ui.press(ImGuiKey_Tab);
  ui.screenshot("open_folder");
  ui.click("story.txt##0");
  CHECK(ui.workspace().text == "Once upon a time.");
  CHECK(ui.workspace().tabCount() == 2);
}

TEST_CASE("what cannot be opened or saved says so in the panel, and the path stays to be mended") {
  UiDriver ui;
  ui.press(ImGuiKey_O, ImGuiMod_Ctrl);
  ui.press(ImGuiKey_A, ImGuiMod_Ctrl);
  ui.type("/nowhere/at all.txt");
  ui.press(ImGuiKey_Enter);
  CHECK(ui.exists("Open##path"));
  ui.screenshot("open_failed");
  ui.press(ImGuiKey_Escape);
  ui.press(ImGuiKey_S, ImGuiMod_Ctrl);
  ui.press(ImGuiKey_A, ImGuiMod_Ctrl);
  ui.type("/proc/session.json");
  ui.press(ImGuiKey_Enter);
  CHECK(ui.exists("Save##path"));
  ui.screenshot("save_failed");
}

TEST_CASE("files dropped onto the window open; what is none is a message") {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "a.txt") << "Dropped.";
  std::ofstream(folder.path() / "b.bin", std::ios::binary) << std::string("a\0b", 3);
  UiDriver ui;
  ui.app().open(folder.path() / "a.txt");
  ui.settle();
  CHECK(ui.snapshot().pass->text == "Dropped.");
  ui.app().open(folder.path() / "b.bin");
  ui.settle();
  CHECK_THAT(ui.app().message(), ContainsSubstring("b.bin") && ContainsSubstring("NUL"));
  CHECK(ui.workspace().text == "Dropped.");
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("dropped_binary");
  ui.click("Copy##message");
  CHECK(ImGui::GetClipboardText() == ui.app().message());
  ui.click("Dismiss");
  CHECK(ui.app().message().empty());
}

TEST_CASE("after a path that cannot be opened the dialog takes keys again, and says all of what is wrong") {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "story.txt") << "Once upon a time.";
  UiDriver ui;
  ui.press(ImGuiKey_O, ImGuiMod_Ctrl);
  ui.press(ImGuiKey_A, ImGuiMod_Ctrl);
  const std::string wrong =
      (folder.path() / "a folder whose name is long enough to need two lines" / "s").string();
  ui.type(wrong);
  ui.press(ImGuiKey_Enter);
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("open_failed_long");
  for (std::size_t i = 0; i < wrong.size() - folder.path().string().size(); ++i) ui.press(ImGuiKey_Backspace);
  ui.type("/story.txt");
  ui.press(ImGuiKey_Enter);
  CHECK(ui.workspace().text == "Once upon a time.");
}

TEST_CASE("a session is packed with its model where one says, and opens from there without it") {
  const TemporaryFolder folder;
  const ModelLibrary library(SOURCE_FOLDER "/build");
  UiDriver::Options options;
  options.loader = [&](const std::string& name, const ProgressCallback& watch) {
    return library.load(name, watch);
  };
  options.packs = folder / "packs";
  options.workspace.model = (folder / "mine").string(), options.workspace.text = "cab";
  std::filesystem::copy(SOURCE_FOLDER "/assets/models/sort", folder / "mine");
  const std::filesystem::path file = folder / "lecture.glassformer";
  {
    UiDriver ui(options);
    ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
    ui.type("pack the session");
    ui.press(ImGuiKey_Enter);
    ui.screenshot("pack_session");
    CHECK(ui.layoutFaults() == "");
    ui.press(ImGuiKey_A, ImGuiMod_Ctrl);
    ui.type(file.string());
    ui.press(ImGuiKey_Enter);
    ui.app().finishFiles();
    CHECK(ui.app().message().empty());
  }
  std::filesystem::remove_all(folder / "mine");
  options.workspace = initialWorkspace();
  options.workspace.model = "worked";
  UiDriver ui(options);
  ui.app().open(file);
  ui.app().finishFiles();
  ui.settle();
  CHECK(ui.workspace().text == "cab");
  CHECK(ui.snapshot().pass->text == "cab");
  CHECK(ui.workspace().model.starts_with(options.packs.string()));
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK(ui.workspace().model == "worked");
  std::filesystem::resize_file(file, std::filesystem::file_size(file) - 30);
  ui.app().open(file);
  ui.app().finishFiles();
  CHECK_THAT(ui.app().message(), ContainsSubstring("damaged"));
  CHECK(ui.workspace().model == "worked");
}

TEST_CASE("an adapter's folder opens as its base with the adapter in it") {
  const ModelLibrary library(SOURCE_FOLDER "/build");
  UiDriver::Options options;
  options.loader = [&](const std::string& name, const ProgressCallback& watch) {
    return library.load(name, watch);
  };
  UiDriver ui(options);
  const std::filesystem::path formats = SOURCE_FOLDER "/tests/reference/formats";
  ui.app().open(formats / "llama_lora");
  ui.settle();
  CHECK(ui.app().message().empty());
  CHECK(ui.snapshot().model->name == "llama_lora");
  const auto adapted = ui.snapshot().model->transformer;
  ui.app().open(formats / "llama");
  ui.settle();
  CHECK(ui.snapshot().model->config == adapted->config());
}
