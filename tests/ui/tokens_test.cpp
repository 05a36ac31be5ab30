// Editing by token, and the view of tokens, in the real interface.
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "app/document/token_edit.h"
#include "app/engine/model_library.h"
#include "core/decode/candidates.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

UiDriver::Options showingTokens(const char* view, int width = 1280, int height = 720, bool dark = true) {
  UiDriver::Options options;
  options.width = width, options.height = height;
  options.workspace.view = view;
  options.workspace.look.dark = dark;
  return options;
}

// The model that ships.
ModelLoader stories() { return storiesModel; }

std::string without(const UiDriver& ui, int i) {
  const TokenPiece& token = ui.snapshot().pass->tokens[static_cast<std::size_t>(i)];
  return ui.snapshot().pass->text.substr(0, token.begin) + ui.snapshot().pass->text.substr(token.end);
}

}  // namespace

TEST_CASE("a right click on a token opens its menu; a suggestion of the model takes its place") {
  UiDriver ui(showingTokens("attention", 1920, 1080));
  const std::string before = ui.workspace().text;
  const Candidates wanted = candidatesOf((*ui.snapshot().pass->trace)["logits"][4].copy());
  ui.rightClick("Timeline/token 5");
  REQUIRE(ui.exists("Token menu/Replace"));
  CHECK(ui.layoutFaults() == "");
  ui.hover("suggestion 1");
  ui.screenshot("token_menu");
  const TokenPiece token = ui.snapshot().pass->tokens[5];
  ui.click("suggestion 1");
  CHECK_FALSE(ui.exists("Token menu/Replace"));
  std::string expected = before;
  expected.replace(token.begin, token.end - token.begin,
                   ui.snapshot().model->bytesOf(std::span(&wanted[1].token, 1)));
  CHECK(ui.workspace().text == expected);
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK(ui.workspace().text == before);
}

TEST_CASE("anything that is typed takes the token's place, with Enter") {
  UiDriver ui(showingTokens("attention", 1920, 1080));
  ui.click("Timeline/token 3");
  ui.press(ImGuiKey_R);
  REQUIRE(ui.exists("Token menu/New token"));
  ui.press(ImGuiKey_A, ImGuiMod_Ctrl);
  ui.type(" größe");
  ui.screenshot("token_menu_typed");
  const std::string expected = ui.snapshot().pass->text.substr(0, ui.snapshot().pass->tokens[3].begin) +
                               " größe" + ui.snapshot().pass->text.substr(ui.snapshot().pass->tokens[3].end);
  ui.press(ImGuiKey_Enter);
  CHECK(ui.workspace().text == expected);
  CHECK_FALSE(ui.exists("Token menu/New token"));
}

TEST_CASE("tokens are put in before and after, with the suggestions of that place") {
  UiDriver ui(showingTokens("attention", 1920, 1080));
  const std::string before = ui.workspace().text;
  const std::size_t begin = ui.snapshot().pass->tokens[4].begin, end = ui.snapshot().pass->tokens[4].end;
  ui.rightClick("Timeline/token 4");
  ui.click("Insert before");
  ui.click("Token menu/New token");
  ui.type("xy");
  ui.press(ImGuiKey_Enter);
  CHECK(ui.workspace().text == before.substr(0, begin) + "xy" + before.substr(begin));
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  const Candidates after = candidatesOf((*ui.snapshot().pass->trace)["logits"][4].copy());
  ui.rightClick("Timeline/token 4");
  ui.click("Insert after");
  ui.press(ImGuiKey_DownArrow);
  ui.screenshot("token_menu_insert_after");
  ui.press(ImGuiKey_Enter);
  CHECK(ui.workspace().text == before.substr(0, end) +
                                   ui.snapshot().model->bytesOf(std::span(&after[0].token, 1)) +
                                   before.substr(end));
}

TEST_CASE("the menu deletes and moves, and is left by Esc and by a click beside it") {
  UiDriver ui(showingTokens("attention", 1920, 1080));
  const std::string before = ui.workspace().text, deleted = without(ui, 2);
  ui.rightClick("Timeline/token 2");
  ui.click("Token menu/Delete");
  CHECK(ui.workspace().text == deleted);
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  const std::string moved = commands::moveToken(ui.snapshot().pass->tokenized(), 2, 4).undoName;
  CHECK(moved == "moving a token");
  const std::string right = withTokenMoved(ui.snapshot().pass->tokenized(), 2, 4);
  ui.rightClick("Timeline/token 2");
  ui.click("Token menu/Move right");
  CHECK(ui.workspace().text == right);
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  const std::string left = withTokenMoved(ui.snapshot().pass->tokenized(), 2, 1);
  ui.rightClick("Timeline/token 2");
  ui.click("Token menu/Move left");
  CHECK(ui.workspace().text == left);
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK(ui.workspace().text == before);
  ui.rightClick("Timeline/token 2");
  ui.press(ImGuiKey_Escape);
  CHECK_FALSE(ui.exists("Token menu/Replace"));
  ui.doubleClick("Timeline/token 2", 0.5f, 0.5f);
  REQUIRE(ui.exists("Token menu/Replace"));
  ui.click("Outside", 0.5f, 0.2f);
  CHECK_FALSE(ui.exists("Token menu/Replace"));
  CHECK(ui.workspace().text == before);
}

TEST_CASE("the first token has no suggestions and does not move left, the last not right") {
  UiDriver ui(showingTokens("attention", 1920, 1080));
  ui.rightClick("Timeline/token 0");
  CHECK_FALSE(ui.exists("suggestion 0"));
  CHECK(ui.find("Token menu/Move left").disabled);
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("token_menu_first");
  ui.click("Insert after");
  CHECK(ui.exists("suggestion 0"));
  ui.press(ImGuiKey_Escape);
  const int last = static_cast<int>(ui.snapshot().pass->tokens.size()) - 1;
  ui.rightClick("Timeline/token " + std::to_string(last));
  CHECK(ui.find("Token menu/Move right").disabled);
}

TEST_CASE("keys delete, move and change the selected token, and not while a text is typed") {
  UiDriver ui(showingTokens("attention", 1920, 1080));
  const std::string before = ui.workspace().text;
  ui.click("Timeline/token 4");
  const std::string deleted = without(ui, 4);
  ui.press(ImGuiKey_Delete);
  CHECK(ui.workspace().text == deleted);
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  const std::string right = withTokenMoved(ui.snapshot().pass->tokenized(), 4, 6);
  ui.press(ImGuiKey_RightArrow, ImGuiMod_Alt);
  CHECK(ui.workspace().text == right);
  CHECK(ui.workspace().selection.query == 5);
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK(ui.workspace().text == before);
  ui.click("Timeline/token 4");
  const std::string left = withTokenMoved(ui.snapshot().pass->tokenized(), 4, 3);
  ui.press(ImGuiKey_LeftArrow, ImGuiMod_Alt);
  CHECK(ui.workspace().text == left);
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  ui.press(ImGuiKey_L, ImGuiMod_Ctrl);
  ui.press(ImGuiKey_R);
  CHECK_FALSE(ui.exists("Token menu/Replace"));
}

TEST_CASE("the keyboard's mark opens the menu of its token with Enter and with the menu key") {
  UiDriver ui(showingTokens("attention", 1920, 1080));
  for (int i = 0; i < 200 && ui.app().focus().name() != "Timeline/token 7"; ++i) ui.press(ImGuiKey_Tab);
  REQUIRE(ui.app().focus().name() == "Timeline/token 7");
  ui.press(ImGuiKey_Menu);
  REQUIRE(ui.exists("Token menu/Replace"));
  ui.press(ImGuiKey_Escape);
  for (int i = 0; i < 200 && ui.app().focus().name() != "Timeline/token 7"; ++i) ui.press(ImGuiKey_Tab);
  ui.press(ImGuiKey_Enter);
  REQUIRE(ui.exists("Token menu/Replace"));
  CHECK(ui.workspace().selection.query == 7);
}

TEST_CASE("a token is dragged to another place, with a mark where it will land") {
  UiDriver ui(showingTokens("attention", 1920, 1080));
  const std::string before = ui.workspace().text;
  const std::string expected = withTokenMoved(ui.snapshot().pass->tokenized(), 6, 3);
  const ItemRecord from = ui.find("Timeline/token 6"), to = ui.find("Timeline/token 3");
  const float by = to.min.x + 2 - (from.min.x + from.max.x) / 2;
  ImGuiIO& io = ImGui::GetIO();
  const float x = (from.min.x + from.max.x) / 2, y = (from.min.y + from.max.y) / 2;
  io.AddMousePosEvent(x, y);
  ui.frames(2);
  io.AddMouseButtonEvent(0, true);
  ui.frames(2);
  io.AddMousePosEvent(x + by, y);
  ui.frames(2);
  ui.screenshot("token_drag");
  io.AddMouseButtonEvent(0, false);
  ui.settle();
  CHECK(ui.workspace().text == expected);
  CHECK(ui.workspace().selection.query == 3);
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK(ui.workspace().text == before);
  ui.drag("Timeline/token 6", 0, -400);  // away from the strip: given up
  CHECK(ui.workspace().text == before);
}

TEST_CASE("the tokens of a text with their bytes and merges, in two sizes and both themes") {
  const char* const texts[] = {
      "The animal didn't cross the street because it was too tired.",
      "caf\xC3\xA9 \xF0\x9F\x98\x80 \xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D \xFF\xC3(\n\tend<|endoftext|>The",
      "Nobody calls it antidisestablishmentarianism.",
      "A aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", ""};
  for (int i = 0; i < 5; ++i) {
    UiDriver::Options options = showingTokens("tokens");
    options.workspace.text = texts[i];
    options.loader = stories();
    UiDriver ui(options);
    if (ui.exists("row 6")) ui.click("row 6");
    ui.inEveryLook([&](const std::string& look) {
      ui.hover("Stage view", 0.55f, 0.98f);
      INFO(i << " " << look);
      CHECK(ui.layoutFaults() == "");
      ui.screenshot("tokens_" + std::to_string(i) + "_" + look);
    });
  }
}

TEST_CASE("one text is cut in several ways, from bytes to words") {
  const std::string texts[] = {
      initialWorkspace().text,
      "caf\xC3\xA9 \xF0\x9F\x98\x80 \xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D \xFF\xC3(\n\tend<|endoftext|>The",
      "The dog sang. The old dog couldn't climb the hill because it was too tired, and so it "
      "sang a merry song for its friend, the cat, who laughed."};
  for (const auto& [width, height, dark] : usualLooks)
    for (int i = 0; i < 3; ++i) {
      UiDriver::Options options = showingTokens("tokens", width, height, dark);
      options.workspace.text = texts[i];
      options.loader = stories();
      UiDriver ui(options);
      ui.click("Stage/Tokenizers");
      INFO(i << " " << width);
      const std::string own = std::to_string(ui.snapshot().pass->tokens.size()) + " tokens";
      CHECK_THAT(ui.texts(), ContainsSubstring(std::to_string(texts[i].size()) + " tokens"));  // as bytes
      ui.hover("cut model");
      CHECK_THAT(ui.tooltip(), ContainsSubstring(own));
      CHECK(ui.exists("cut merges 47"));
      CHECK(ui.layoutFaults() == "");
      ui.screenshot("cuts_" + std::to_string(i) + "_" + std::to_string(width) + (dark ? "_dark" : "_light"));
    }
}

TEST_CASE("a text is cut by every tokenizer of the library, one row each") {
  const ModelLibrary library(SOURCE_FOLDER "/build");
  for (const auto& [width, height, dark] : usualLooks) {
    UiDriver::Options options = showingTokens("tokens", width, height, dark);
    options.workspace.text = "The dog couldn't climb the hill. Der Hund konnte nicht auf den H\xC3\xBCgel.";
    options.loader = [&](const std::string& name, const ProgressCallback& watch) {
      return library.load(name, watch);
    };
    UiDriver ui(options);
    ui.click("Stage/Tokenizers");
    ui.click("Stage/All models");
    ui.settle();
    const auto& tokenizers = ui.snapshot().kept.tokenizers;
    REQUIRE(tokenizers.size() > 3);
    for (std::size_t i = 0; i < tokenizers.size(); ++i) CHECK(ui.exists("cut library " + std::to_string(i)));
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("cuts_library_" + std::to_string(width) + (dark ? "_dark" : "_light"));
    ui.click("Stage/This model");
    CHECK(ui.exists("cut model"));
  }
}

TEST_CASE("selecting a row shows its word's merges; a row says what part of a character it is") {
  UiDriver::Options options = showingTokens("tokens");
  options.workspace.text = "The street \xF0\x9F\x98\x80";
  UiDriver ui(options);
  ui.click("row 1");
  CHECK(ui.workspace().selection.query == 1);
  REQUIRE(ui.exists("merge 0"));
  ui.hover("merge 0");
  CHECK_THAT(ui.app().hover().text, ContainsSubstring("rule of rank"));
  const int last = static_cast<int>(ui.snapshot().pass->tokens.size()) - 1;
  ui.hover("row " + std::to_string(last));
  CHECK_THAT(ui.app().hover().text, ContainsSubstring("(U+1F600)"));
  CHECK(ui.app().hover().cell.tensor == "lens.token_probability");
  CHECK(ui.app().hover().token == last);
  ui.hover("embedding", 0.1f, 0.5f);
  CHECK(ui.app().hover().cell.tensor == "hook_embed");
}

TEST_CASE("a long text is scrolled by the wheel, and selecting a token brings it into sight") {
  UiDriver::Options options = showingTokens("tokens");
  options.workspace.text.clear();
  for (int i = 0; i < 6; ++i) options.workspace.text += "The animal didn't cross. ";
  UiDriver ui(options);
  CHECK_FALSE(ui.exists("row 0"));  // the last one is selected
  for (int i = 0; i < 40; ++i) ui.wheel("tokens", 1);
  CHECK(ui.exists("row 0"));
  CHECK(ui.workspace().settings.tokens.first == 0);
  ui.wheel("tokens", -1);
  CHECK(ui.workspace().settings.tokens.first == 3);
  const int last = static_cast<int>(ui.snapshot().pass->tokens.size()) - 1;
  ui.press(ImGuiKey_LeftArrow, ImGuiMod_Shift);
  CHECK(ui.workspace().selection.query == last - 1);
  CHECK(ui.exists("row " + std::to_string(last - 1)));
  CHECK_FALSE(ui.app().history().canUndo());
}

TEST_CASE("rows are changed, dragged and deleted like the tokens of the strip") {
  UiDriver ui(showingTokens("tokens"));
  const std::string before = ui.workspace().text;
  ui.rightClick("row 3");
  REQUIRE(ui.exists("Token menu/Replace"));
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("tokens_menu");
  ui.press(ImGuiKey_Escape);
  const std::string moved = withTokenMoved(ui.snapshot().pass->tokenized(), 3, 1);
  const ItemRecord from = ui.find("row 3"), to = ui.find("row 1");
  ui.drag("row 3", 0, to.min.y + 2 - (from.min.y + from.max.y) / 2);
  CHECK(ui.workspace().text == moved);
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK(ui.workspace().text == before);
}

TEST_CASE("two texts' tokens stand side by side or in one list, and only the open one is changed") {
  UiDriver::Options options = showingTokens("tokens", 1920, 1080);
  options.workspace.aside = {"The cat sat on the mat."};
  options.workspace.comparison.with = OtherText{1};
  UiDriver ui(options);
  ui.hover("Stage view", 0.4f, 0.98f);
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("tokens_compared");
  const auto rightClickChangesNothing = [&](const char* where) {
    const Workspace before = ui.workspace();
    ui.rightClick(where, 0.1f, 0.3f);
    CHECK_FALSE(ui.exists("Token menu/Replace"));
    CHECK(ui.workspace() == before);
    if (ui.exists("Why/Close##why")) ui.click("Why/Close##why");
  };
  rightClickChangesNothing("Other view");
  ui.press(ImGuiKey_D);
  CHECK(ui.workspace().comparison.mode == ComparisonMode::Difference);
  const auto difference = ui.snapshot().difference;
  for (int row = 0; row < difference->sides->alignments.text.count(); ++row)
    CHECK(ui.exists("row " + std::to_string(row)));
  ui.hover("Stage view", 0.4f, 0.98f);
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("tokens_difference");
  rightClickChangesNothing("row 3");
  ui.click("row 3");
  CHECK(ui.app().hover().cell.tensor == "lens.token_probability");
  CHECK(ui.workspace().selection.query == difference->sides->alignments.text[3].a);
}
