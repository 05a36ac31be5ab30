#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstdlib>
#include <fstream>

#include "app/document/figure_recipe.h"
#include "app/document/session.h"
#include "app/figure/figure_formats.h"
#include "app/panels/picture_copier.h"
#include "core/io/files.h"
#include "core/io/picture_note.h"
#include "tests/core/io/temporary_folder.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

namespace {

UiDriver::Options into(const std::filesystem::path& folder, int width = 1280, int height = 720) {
  UiDriver::Options options;
  options.width = width, options.height = height;
  options.workspace.figure.folder = folder.string();
  return options;
}

// Writing happens on another thread.
void awaitOutcome(UiDriver& ui, const std::filesystem::path& file) {
  ui.await([&] { return std::filesystem::exists(file) && ui.exists("Copy path"); });
}

void replaceText(UiDriver& ui, const char* entry, const std::string& text) {
  ui.click(entry);
  ui.press(ImGuiKey_A, ImGuiMod_Ctrl);
  ui.type(text);
}

// A program of this name that keeps what it is given on its standard input.
class FakeProgram {
 public:
  FakeProgram(const TemporaryFolder& folder, const char* name) : path_(std::getenv("PATH")) {
    const auto program = folder / name;
    std::ofstream(program) << "#!/bin/sh\necho \"$@\" >'" << (folder / "arguments").string()
                           << "'\nexec cat >'" << (folder / "got.png").string() << "'\n";
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    setenv("PATH", (folder.path().string() + ":" + path_).c_str(), 1);
  }
  ~FakeProgram() { setenv("PATH", path_.c_str(), 1); }

 private:
  const std::string path_;
};

}  // namespace

TEST_CASE("every format is saved from the dialog, by button and by Enter") {
  const TemporaryFolder folder;
  UiDriver ui(into(folder.path()));
  ui.click("Export figure…");
  for (const FigureFormat& format : figureFormats()) {
    ui.click(std::string(format.title) + "##format");
    CHECK(ui.workspace().figure.format == format.id);
    const auto file = folder / (std::string("attention.") + format.id);
    if (format.isNumbers())
      ui.press(ImGuiKey_Enter);
    else
      ui.click("Save##export");
    awaitOutcome(ui, file);
    REQUIRE(std::filesystem::exists(file));
    CHECK(std::filesystem::file_size(file) > 500);
  }
  ui.screenshot("export_numbers");
  ui.click("Copy path");
  CHECK(std::string(ImGui::GetClipboardText()) == (folder / "attention.npz").string());
  ui.press(ImGuiKey_Escape);
  CHECK_FALSE(ui.exists("Save##export"));
}

TEST_CASE("a file that exists is kept, the next one gets a number") {
  const TemporaryFolder folder;
  UiDriver ui(into(folder.path()));
  REQUIRE(writeFile(folder / "attention.svg", "mine"));
  ui.press(ImGuiKey_E, ImGuiMod_Ctrl);
  ui.press(ImGuiKey_Enter);
  awaitOutcome(ui, folder / "attention-2.svg");
  CHECK(*readTextFile(folder / "attention.svg") == "mine");
  CHECK_THAT(*readTextFile(folder / "attention-2.svg"), StartsWith("<?xml"));
}

TEST_CASE("a folder that is not there is said, and nothing is lost") {
  const TemporaryFolder folder;
  UiDriver ui(into(folder / "nowhere"));
  ui.press(ImGuiKey_E, ImGuiMod_Ctrl);
  ui.click("Save##export");
  ui.await([&] { return ui.exists("export error"); });
  CHECK(ui.exists("export error"));
  ui.screenshot("export_no_folder");
  replaceText(ui, "Folder", folder.path().string());
  replaceText(ui, "File name", "mine");
  CHECK(ui.workspace().figure.folder == folder.path().string());
  ui.press(ImGuiKey_Enter);
  awaitOutcome(ui, folder / "mine.svg");
  CHECK(std::filesystem::exists(folder / "mine.svg"));
  CHECK_FALSE(ui.exists("export error"));
}

TEST_CASE("typing in the dialog leaves the text alone, and shortcuts too") {
  const TemporaryFolder folder;
  UiDriver ui(into(folder.path()));
  ui.click("Text", 0.9f, 0.9f);
  ui.press(ImGuiKey_E, ImGuiMod_Ctrl);
  ui.type("2t");
  replaceText(ui, "File name", "it 2");
  CHECK(ui.workspace().text == initialWorkspace().text);
  CHECK(ui.workspace().view == "attention");
  ui.press(ImGuiKey_Enter);
  awaitOutcome(ui, folder / "it 2.svg");
  CHECK(std::filesystem::exists(folder / "it 2.svg"));
}

TEST_CASE("the dialog works by keyboard alone") {
  const TemporaryFolder folder;
  UiDriver ui(into(folder.path()));
  ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
  ui.type("export");
  ui.press(ImGuiKey_Enter);
  REQUIRE(ui.exists("Save##export"));
  const auto tabTo = [&](const std::string& name) {
    for (int i = 0; i < 40 && ui.app().focus().name() != "Export/" + name; ++i) ui.press(ImGuiKey_Tab);
    REQUIRE(ui.app().focus().name() == "Export/" + name);
  };
  tabTo("PDF##format");
  ui.press(ImGuiKey_Enter);
  CHECK(ui.workspace().figure.format == "pdf");
  CHECK_FALSE(std::filesystem::exists(folder / "attention.pdf"));
  tabTo("File name");
  ui.press(ImGuiKey_A, ImGuiMod_Ctrl);
  ui.type("by keys");
  tabTo("Save##export");
  ui.press(ImGuiKey_Enter);
  awaitOutcome(ui, folder / "by keys.pdf");
  CHECK(std::filesystem::exists(folder / "by keys.pdf"));
}

TEST_CASE("an edited caption is in the figure until it shows something else") {
  const TemporaryFolder folder;
  UiDriver ui(into(folder.path()));
  ui.press(ImGuiKey_E, ImGuiMod_Ctrl);
  replaceText(ui, "Caption text", "Who is tired?");
  ui.press(ImGuiKey_Enter);
  awaitOutcome(ui, folder / "attention.svg");
  CHECK_THAT(*readTextFile(folder / "attention.svg"), ContainsSubstring(">Who is tired?</text>"));
  ui.screenshot("export_edited_caption");
  ui.press(ImGuiKey_Escape);
  ui.press(ImGuiKey_3);
  ui.press(ImGuiKey_E, ImGuiMod_Ctrl);
  ui.press(ImGuiKey_Enter);
  awaitOutcome(ui, folder / "residual.svg");
  CHECK_THAT(*readTextFile(folder / "residual.svg"), !ContainsSubstring("Who is tired?"));
}

TEST_CASE("the dialog's settings are the workspace's") {
  const TemporaryFolder folder;
  const auto session = folder / "session.json";
  {
    auto options = into(folder.path());
    options.session = session;
    UiDriver ui(options);
    ui.click("Export figure…");
    ui.click("PNG##format");
    ui.click("2 columns##size");
    ui.click("Window theme##look");
    ui.click("more##Scale");
    ui.click("None##caption");
    CHECK_FALSE(ui.app().history().canUndo());
  }
  const FigureSettings stored = restoreSession(session).workspace.figure;
  CHECK(stored.format == "png");
  CHECK(stored.size == "double-column");
  CHECK(stored.look == FigureLook::AsWindow);
  CHECK(stored.scale == 2.5f);
  CHECK_FALSE(stored.caption);
}

TEST_CASE("the dialog in both themes and three sizes") {
  const TemporaryFolder folder;
  for (const auto& [width, height, dark] :
       {UsualLook{1024, 640, true}, UsualLook{1280, 720, false}, UsualLook{1920, 1080, true}}) {
    auto options = into(folder.path(), width, height);
    options.workspace.look.dark = dark;
    options.workspace.figure.format = width == 1280 ? "png" : "svg";
    options.workspace.figure.size = width == 1024 ? "column" : "slide";
    UiDriver ui(options);
    ui.click("Export figure…");
    CHECK(ui.exists("Save##export"));
    ui.screenshot("export_" + std::to_string(width) + (dark ? "_dark" : "_light"));
  }
}

TEST_CASE("a figure that is dropped onto the window brings back what it was made from") {
  const TemporaryFolder folder;
  const auto file = folder / "attention.png";
  {
    UiDriver::Options options = into(folder.path());
    options.workspace.text = "The dog sang.";
    UiDriver ui(options);
    ui.press(ImGuiKey_X);  // the selected head is off
    REQUIRE_FALSE(ui.workspace().interventions.empty());
    ui.click("Export figure…");
    ui.click("PNG##format");
    ui.click("Save##export");
    awaitOutcome(ui, file);
    REQUIRE(std::filesystem::exists(file));
  }
  UiDriver ui(into(folder.path()));
  ui.click("Positions");
  ui.app().open(file);
  ui.settle();
  CHECK(ui.workspace().text == "The dog sang.");
  CHECK(ui.workspace().view == "attention");
  CHECK(ui.workspace().interventions.size() == 1);
  CHECK(ui.app().message() == "");  // from the weights that are here, too
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK(ui.workspace().interventions.empty());
}

TEST_CASE("a figure from other weights says so, one that says nothing is refused, and what was open stays") {
  const TemporaryFolder folder;
  const auto file = folder / "old.svg";
  FigureRecipe recipe{
      .workspace = initialWorkspace(), .width = 960, .height = 540, .origin = {"00000000", {}}};
  REQUIRE(writeFile(file, withNote("<svg></svg>", toJsonLine(recipe))));
  UiDriver ui(into(folder.path()));
  ui.app().open(file);
  ui.await([&] { return !ui.app().message().empty(); });
  CHECK_THAT(ui.app().message(), ContainsSubstring("has other weights"));
  ui.screenshot("figure_from_other_weights");
  REQUIRE(writeFile(file, "<svg></svg>"));
  const std::string text = ui.workspace().text;
  ui.app().open(file);
  CHECK_THAT(ui.app().message(), ContainsSubstring("does not say what made it"));
  CHECK(ui.workspace().text == text);
}

TEST_CASE(
    "every token of the text is saved in one film, or each in its file, and none that is there is lost") {
  for (const bool dark : {true, false}) {
    const TemporaryFolder folder;
    UiDriver::Options options = into(folder.path());
    options.workspace.text = "The cat sat";
    options.workspace.look.dark = dark;
    UiDriver ui(options);
    ui.click("Export figure…");
    ui.click("GIF##format");
    ui.click("Tokens##each");
    CHECK(ui.layoutFaults() == "");
    ui.click("Save##export");
    awaitOutcome(ui, folder / "attention.gif");
    CHECK(ui.layoutFaults() == "");
    ui.screenshot(std::string("export_film") + (dark ? "_dark" : "_light"));
    const auto recipe = recipeIn(folder / "attention.gif");
    REQUIRE(recipe);
    CHECK(recipe->workspace.selection.query == 0);
    ui.click("SVG##format");
    ui.click("Files##moves");
    for (const char* last : {"attention-003.svg", "attention-2-003.svg"}) {
      ui.click("Save##export");
      awaitOutcome(ui, folder / last);
      CHECK(std::filesystem::exists(folder / last));
    }
    ui.click("Lesson##each");
    ui.click("Save##export");
    CHECK_THAT(ui.texts(), ContainsSubstring("no lesson is open"));
    ui.click("This##each");
    CHECK(ui.workspace().figure.each.empty());
  }
}

TEST_CASE("parts, width, type and ground of a figure are chosen in the dialog, and undone") {
  for (const auto& [width, height] : {std::pair{1280, 720}, std::pair{1920, 1080}}) {
    const TemporaryFolder folder;
    UiDriver ui(into(folder.path(), width, height));
    ui.click("Export figure…");
    ui.click("1 column##size");
    for (const char* part : {"Heads", "Bars", "Heads first"}) ui.click(std::string(part) + "##parts");
    ui.click("Paper##look");
    ui.click("Above##caption");
    ui.click("more##Width, mm");
    ui.click("less##Type, pt");
    const FigureSettings& figure = ui.workspace().figure;
    CHECK((!figure.heads && !figure.bars && figure.headsFirst && figure.colorScale));
    CHECK(figure.look == FigureLook::Paper);
    CHECK((figure.caption && figure.captionAbove));
    CHECK(figure.millimetres == 90);
    CHECK(figure.points > 5);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("export_parts_" + std::to_string(width));
    ui.click("PNG##format");
    ui.click("Heads##each");
    ui.click("Save##export");
    awaitOutcome(ui, folder / "attention-008.png");
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("export_full_" + std::to_string(width));
    ui.click("Slide##size");
    CHECK((ui.workspace().figure.millimetres == 0 && ui.workspace().figure.points == 0));
  }
}

TEST_CASE("a picture is copied to the clipboard as a PNG by Ctrl+C and by the dialog's button", "[others]") {
  const TemporaryFolder folder;
  unsetenv("WAYLAND_DISPLAY");
  UiDriver ui(into(folder.path()));
  const auto awaitCopy = [&] {
    std::error_code none;
    ui.await([&] { return std::filesystem::file_size(folder / "got.png", none) + 1 > 500; });
    ui.await([&] { return ui.app().message() == "Copied the picture."; });
    const auto png = readTextFile(folder / "got.png", 1 << 26);
    REQUIRE(png);
    CHECK_THAT(*png, StartsWith("\x89PNG"));
    CHECK_THAT(*readTextFile(folder / "arguments", 1 << 10), ContainsSubstring("image/png"));
    std::filesystem::remove(folder / "got.png");
  };
  {
    const FakeProgram xclip(folder, "xclip");
    ui.hover("Stage view", 0.99f, 0.99f);
    ui.press(ImGuiKey_C, ImGuiMod_Ctrl);
    awaitCopy();
    ui.press(ImGuiKey_E, ImGuiMod_Ctrl);
    ui.click("Copy picture##export");
    awaitCopy();
  }
  // A number goes there as it is written.
  ui.press(ImGuiKey_Escape);
  ui.hover("attention", 0.02f, 0.02f);
  ui.press(ImGuiKey_C, ImGuiMod_Ctrl);
  CHECK(std::string(ImGui::GetClipboardText()) == "1.000");
  CHECK_FALSE(std::filesystem::exists(folder / "got.png"));
}

TEST_CASE("where no program keeps pictures on the clipboard, the message names the one to install",
          "[others]") {
  const TemporaryFolder folder;
  const std::string path = std::getenv("PATH");
  setenv("PATH", folder.path().c_str(), 1);
  const Status copied = putOnClipboard("PNG");
  setenv("PATH", path.c_str(), 1);
  REQUIRE_FALSE(copied);
  CHECK(copied.error().message() == "the picture cannot be copied: install the program xclip");
}
