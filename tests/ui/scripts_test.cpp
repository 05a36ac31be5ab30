// Texts in other scripts than the interface's, in the real window.
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "app/screen/fonts.h"
#include "imgui_internal.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;

namespace {

constexpr const char* manyScripts = "שלום السلام 猫 こんにちは 안녕 😀 नमस्ते สวัสดี";

std::vector<ImWchar> charactersOf(std::string_view text) {
  std::vector<ImWchar> characters;
  for (const char *at = text.data(), *end = at + text.size(); at < end;) {
    unsigned character = 0;
    at += ImTextCharFromUtf8(&character, at, end);
    characters.push_back(character);
  }
  return characters;
}

}  // namespace

TEST_CASE("the window draws every script that the system has fonts for without boxes") {
  UiDriver ui;
  const Fonts& fonts = ui.app().fonts();
  for (const FontFace face : {FontFace::Ui, FontFace::Strong, FontFace::Mono}) {
    ImFontBaked* const baked = fonts.font(face)->GetFontBaked(fonts.lineHeight(face, 16));
    for (const ImWchar c : charactersOf(fonts.shown(manyScripts, face))) {
      INFO("character " << std::hex << c << " in face " << static_cast<int>(face));
      CHECK(baked->FindGlyphNoFallback(c));
    }
  }
}

TEST_CASE("letters join and run from right to left in the window") {
  UiDriver ui;
  const Fonts& fonts = ui.app().fonts();
  const auto shown = [&](const char* text) { return charactersOf(fonts.shown(text, FontFace::Ui)); };
  CHECK(shown("אב") == std::vector<ImWchar>{U'ב', U'א'});
  const auto joined = shown("ببب");
  REQUIRE(joined.size() == 3);
  CHECK(joined[0] != joined[1]);
  CHECK(joined[1] != joined[2]);
  CHECK(joined[0] != joined[2]);
  CHECK(fonts.shown("plain text", FontFace::Ui) == "plain text");
}

TEST_CASE("a shaped text is as wide in the window as in a figure") {
  UiDriver ui;
  const Fonts& fonts = ui.app().fonts();
  const Lettering lettering;
  for (const char* text : {"plain", "中文", "שלום עולם", "السلام عليكم", "नमस्ते", "e\u0301"}) {
    const float drawn = fonts.width(text, FontFace::Ui, 20),
                laid = 20 * lettering.laidOut(text, FontFace::Ui).width;
    INFO(text << ": " << drawn << " and " << laid);
    CHECK(std::abs(drawn - laid) < 0.1f);
  }
}

TEST_CASE("the text field runs from right to left where its letters do: caret, clicks and words") {
  UiDriver::Options options;
  options.workspace.text = "שלום";
  UiDriver ui(options);
  CHECK(ui.texts().find("שלום") != std::string::npos);  // as one word, not letter by letter
  ui.click("Text", 0.05f, 0.15f);                       // its left end, where the word ends
  ui.type("ה");
  CHECK(ui.workspace().text == "שלוםה");
  ui.press(ImGuiKey_Home);
  ui.type("ו");
  CHECK(ui.workspace().text == "ושלוםה");
  ui.press(ImGuiKey_A, ImGuiMod_Ctrl);
  ui.type("The word السلام عليكم ends.");
  ui.settle();
  CHECK(ui.texts().find("The word السلام") != std::string::npos);
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("scripts_leftwards");
}

TEST_CASE("typed text of any script is kept byte by byte and drawn without faults") {
  for (const auto& [width, height, dark] : {std::tuple{1280, 720, true}, {1920, 1080, false}}) {
    UiDriver::Options options;
    options.width = width, options.height = height;
    options.workspace.look.dark = dark;
    UiDriver ui(options);
    ui.click("Text", 0.9f, 0.9f);
    ui.press(ImGuiKey_A, ImGuiMod_Ctrl);
    ui.type(manyScripts);
    ui.settle();
    CHECK(ui.workspace().text == manyScripts);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot(dark ? "scripts_dark" : "scripts_light");
    ui.press(ImGuiKey_Home, ImGuiMod_Ctrl);
    ui.press(ImGuiKey_Delete);
    CHECK(ui.workspace().text == std::string(manyScripts).substr(2));  // one Hebrew letter, the first
  }
}
