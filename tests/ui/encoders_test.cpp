// BERT, DistilBERT and RoBERTa directories in the real interface: opened by their paths, masked, filled, seen
// in every view.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "app/engine/model_library.h"
#include "app/views/views.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::string encoderFolders = SOURCE_FOLDER "/tests/reference/formats/";

UiDriver::Options withDirectories(int width = 1280, int height = 720, bool dark = true) {
  UiDriver::Options options;
  options.width = width, options.height = height;
  options.workspace.text = "The cat sat on the mat, unbelievable.";
  options.workspace.look.dark = dark, options.workspace.look.followsSystem = false;
  options.loader = [library = ModelLibrary("")](const std::string& name, const ProgressCallback& watch) {
    return name.starts_with('/') ? library.load(name, watch) : smallModel(name, watch);
  };
  return options;
}

void openDirectory(UiDriver& ui, const std::string& name) {
  ui.press(ImGuiKey_O, ImGuiMod_Ctrl);
  ui.press(ImGuiKey_A, ImGuiMod_Ctrl);
  ui.type(encoderFolders + name);
  ui.press(ImGuiKey_Enter);
  ui.settle();
  REQUIRE(ui.snapshot().standing.error.empty());
  REQUIRE(ui.snapshot().model->name == name);
}

}  // namespace

TEST_CASE("a BERT opens by its path, between its signs, and fills a mask that is put in by a key") {
  UiDriver ui(withDirectories());
  openDirectory(ui, "bert");
  const auto labels = [&] {
    std::string all;
    for (const TokenPiece& token : ui.snapshot().pass->tokens) all += token.label + " ";
    return all;
  };
  CHECK(labels() == "[CLS] the cat sat on the mat , un ##believ ##able . [SEP] ");
  CHECK(ui.snapshot().pass->trace->contains("mlm_head.hook_post"));
  ui.click("Top bar/Next token");
  const int chosen = 2;
  ui.click("Timeline/token 2");
  REQUIRE(ui.workspace().selection.query == chosen);
  ui.press(ImGuiKey_M, ImGuiMod_Alt);
  ui.settle();
  CHECK(ui.workspace().text == "The [MASK] sat on the mat, unbelievable.");
  CHECK(ui.snapshot().pass->tokens[static_cast<std::size_t>(chosen)].id == ui.snapshot().model->maskToken);
  CHECK(ui.snapshot().pass->tokens.size() == 13);
  CHECK_THAT(ui.texts(), ContainsSubstring("MASK PREDICTION"));
  ui.screenshot("encoder_mask");
  CHECK(ui.layoutFaults() == "");
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  ui.settle();
  CHECK(ui.workspace().text == "The cat sat on the mat, unbelievable.");
}

TEST_CASE("of a text that is too long as much is read as leaves room for the sign behind it") {
  UiDriver::Options options = withDirectories();
  options.workspace.text = "The cat";
  for (int i = 0; i < 40; ++i) options.workspace.text += " sat on";
  UiDriver ui(options);
  openDirectory(ui, "bert");
  const auto& read = ui.snapshot().pass->trace->tokens();
  CHECK(static_cast<int>(read.size()) == ui.snapshot().model->config->context);
  CHECK(read.back() == ui.snapshot().model->tokenizer->closeOfText());
  CHECK(ui.snapshot().pass->tokens.size() == 84);
  CHECK(ui.snapshot().pass->tokens[read.size() - 1].label == "[SEP]");
  ui.screenshot("encoder_long");
  CHECK(ui.layoutFaults() == "");
}

TEST_CASE("what has no head to predict words with says so where words are predicted") {
  UiDriver ui(withDirectories());
  openDirectory(ui, "bert_headless");
  ui.click("Top bar/Next token");
  CHECK_THAT(ui.texts(), ContainsSubstring("This checkpoint has no head to predict words with"));
  ui.screenshot("encoder_headless");
  CHECK(ui.layoutFaults() == "");
}

TEST_CASE("every view of an encoder that was opened, in two sizes and both themes") {
  for (const auto& [width, height, dark, name] :
       {std::tuple{1280, 720, true, "bert"}, std::tuple{1280, 720, false, "distilbert"},
        std::tuple{1920, 1080, true, "roberta"}, std::tuple{1920, 1080, false, "bert"}}) {
    UiDriver ui(withDirectories(width, height, dark));
    openDirectory(ui, name);
    for (const View& view : views()) {
      const auto place = static_cast<int>(&view - views().data());
      if (place >= 10) continue;  // it has no key
      ui.press(ImGuiKey_Escape);
      ui.press(keyOfView(place));
      ui.settle();
      INFO(name << ", " << view.id << ", " << width);
      CHECK(ui.workspace().view == view.id);
      CHECK(ui.snapshot().standing.error == "");
      ui.screenshot(std::string("encoder_") + name + "_" + std::string(view.id) + "_" +
                    std::to_string(width));
      CHECK(ui.layoutFaults().substr(0, 400) == "");
    }
  }
}

TEST_CASE("what a model has room for and no token is called by its number") {
  UiDriver ui(withDirectories(1920, 1080));
  openDirectory(ui, "bert");
  CHECK(ui.snapshot().model->tokenizer->vocabularySize() == 258);
  CHECK(ui.snapshot().model->config->vocabulary == 280);
  CHECK(ui.snapshot().model->entryLabel(279) == "#279");
  ui.click("Top bar/Next token");
  ui.click("Stage/Surprisal");
  ui.screenshot("encoder_text");
  CHECK_THAT(ui.texts(), ContainsSubstring("#2"));
  CHECK(ui.layoutFaults() == "");
}

TEST_CASE("every step of an encoder is shown as its equation, from the sum of embeddings to the head") {
  UiDriver ui(withDirectories());
  openDirectory(ui, "bert");
  ui.click("Top bar/Forward");
  const auto steps = stepsOf(*ui.snapshot().model->transformer);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].layer >= 0) continue;
    while (ui.step() < static_cast<int>(i)) ui.press(ImGuiKey_RightArrow);
    ui.settle();
    INFO(steps[i].title);
    CHECK(ui.step() == static_cast<int>(i));
    ui.screenshot("encoder_step_" + std::to_string(i));
    CHECK(ui.layoutFaults().substr(0, 400) == "");
  }
}

TEST_CASE("both meanings of it stand side by side with their translations, one click from the palette") {
  for (const auto& [width, height, dark] : usualLooks) {
    UiDriver::Options options{.width = width, .height = height};
    options.workspace.look.dark = dark, options.workspace.look.followsSystem = false;
    options.models = {{"stories", ""}, {"translate", ""}};
    options.loader = [library = ModelLibrary(SOURCE_FOLDER "/build")](const std::string& name,
                                                                      const ProgressCallback& watch) {
      return library.load(name, watch);
    };
    UiDriver ui(options);
    ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
    ui.type("both meanings");
    ui.press(ImGuiKey_Enter);
    CHECK(ui.workspace().model == "translate");
    CHECK(ui.texts().find("weil es zu müde war.") != std::string::npos);
    CHECK(ui.texts().find("weil sie zu breit war.") != std::string::npos);
    ui.hover("Stage view", 0.02f, 0.98f);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("meanings_of_it_" + std::to_string(width) + (dark ? "_dark" : "_light"));
    ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
    CHECK(ui.workspace().model == "stories");
  }
}
