// The slider of merges, and merges that are learned from what is written, in the real interface.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "app/document/cuts_settings.h"
#include "app/document/prepared_texts.h"
#include "app/engine/learned_tokenizers.h"
#include "app/engine/model_library.h"
#include "core/random.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

UiDriver::Options cuts(int width, int height, bool dark) {
  UiDriver::Options options{.width = width, .height = height};
  options.workspace.look.dark = dark, options.workspace.look.followsSystem = false;
  options.workspace.view = "tokens", options.workspace.settings.pictures["tokens"] = "cuts";
  options.loader = storiesModel;
  return options;
}

}  // namespace

TEST_CASE("the slider of merges is dragged, and what is learned here stands beside words, in every look") {
  for (const auto& [width, height, dark] : usualLooks) {
    const std::string look = std::to_string(width) + (dark ? "_dark" : "_light");
    UiDriver ui(cuts(width, height, dark));
    ui.drag("Stage/merges", -150, 0);
    CHECK_FALSE(ui.workspace().settings.chosen(mergesChoice).empty());
    ui.hover("Stage view", 0.02f, 0.98f);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("merges_slider_" + look);
    ui.click("Train BPE");
    CHECK(ui.snapshot().kept.tokenizers.size() == 2);
    ui.hover("Stage view", 0.02f, 0.98f);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("merges_learned_" + look);
  }
}

TEST_CASE("the long German word is cut in every look") {
  for (const auto& [width, height] : {std::pair{1280, 720}, std::pair{1920, 1080}}) {
    const bool dark = width == 1280;
    UiDriver::Options options = cuts(width, height, dark);
    const ModelLibrary library(SOURCE_FOLDER "/build");
    options.loader = [&](const std::string& name, const ProgressCallback& watch) {
      return library.load(name, watch);
    };
    for (const PreparedText& text : preparedTexts())
      if (text.label == "Gesundheitsforschungsinstitute")
        commands::openPrepared(text).apply(options.workspace);
    UiDriver ui(options);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("long_word_" + std::to_string(width));
  }
}

TEST_CASE("merges of a long text appear while they are learned, until Escape, and go on from there") {
  UiDriver::Options options = cuts(1280, 720, true);
  // In another tab, so that frames take no longer: what is learned here is learned from all of them.
  std::string text;
  Random random(1);
  for (int i = 0; i < 400000; ++i) {
    const int length = 3 + static_cast<int>(random.below(9));
    for (int j = 0; j < length; ++j) text += static_cast<char>('a' + random.below(20));
    text += ' ';
  }
  options.workspace.aside = {text};
  UiDriver ui(options);
  const auto merges = [&] {
    const auto& learned = ui.snapshot().kept.tokenizers;
    return learned.empty() ? 0 : learned.front().tokenizer->mergeCount();
  };
  ui.waitForEngine(false);
  ui.click("Train BPE");
  ui.await([&] { return merges() > 0; });
  ui.press(ImGuiKey_Escape);
  ui.await([&] { return !ui.snapshot().standing.cancelled.empty(); });
  CHECK(ui.snapshot().standing.cancelled == LearnedTokenizers::doing);
  const int learned = merges();
  CHECK(learned < LearnedTokenizers::mostMerges);
  ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
  ui.type("start again");
  ui.press(ImGuiKey_Enter);
  ui.await([&] { return merges() == LearnedTokenizers::mostMerges; });
  CHECK(merges() == LearnedTokenizers::mostMerges);
}
