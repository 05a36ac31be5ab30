#include <catch2/catch_test_macros.hpp>

#include "app/document/circuit_settings.h"
#include "app/document/neuron_settings.h"
#include "app/document/selection_commands.h"
#include "app/document/switches.h"
#include "app/document/view_commands.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;

namespace {

// A picture about many texts, which are the lines of the open one.
UiDriver::Options aboutLines(const char* view, const char* picture, bool dark) {
  UiDriver::Options options;
  options.loader = storiesModel;
  options.lessons = SOURCE_FOLDER "/assets/lessons";
  options.workspace.look.dark = dark, options.workspace.look.followsSystem = false;
  options.workspace.text = "The dog was too tired.\nAnna says that he was old.\nThe cat sat.";
  options.workspace.decoding.depth = 3;
  options.workspace.view = view;
  options.workspace.settings.choose(neuronCorpus, corpusOfTabs);
  commands::choosePicture(view, picture).apply(options.workspace);
  return options;
}

}  // namespace

TEST_CASE("what a head does, is and says is seen as a whole on a small screen and beside a lesson") {
  for (const auto& [view, picture] :
       {std::pair{"attention", "biography"}, {"attention", "circuits"}, {"influence", "many texts"}})
    for (const bool besideLesson : {false, true}) {
      UiDriver::Options options = aboutLines(view, picture, besideLesson);
      if (besideLesson) options.workspace.lesson.lesson = "04_masks";
      UiDriver ui(options);
      const std::string name = std::string(picture) + (besideLesson ? " beside a lesson" : "");
      INFO(name);
      REQUIRE(ui.snapshot().kept.measured);
      ui.screenshot("small_" + name);
      CHECK(ui.layoutFaults() == "");
      CHECK_FALSE(ui.scrolls());
    }
}

TEST_CASE("the pairs of a head's circuits that have no room are a click or the wheel away") {
  UiDriver ui(aboutLines("attention", "circuits", false));
  const auto first = [&] { return ui.workspace().settings.chosen(firstCircuitPair); };
  CHECK(ui.texts().find(" more") != std::string::npos);
  CHECK_FALSE(ui.exists("circuit.score 9"));
  ui.wheel("circuit.score 0", -1);
  CHECK(first() == "3");
  CHECK_FALSE(ui.exists("circuit.score 0"));
  for (int i = 0; i < 20 && !ui.exists("circuit.score 16"); ++i) ui.click("more circuit.score");
  CHECK(ui.exists("circuit.score 16"));  // the last of 17 tokens
  for (int i = 0; i < 20 && first() != ""; ++i) ui.click("more circuit.score");
  CHECK(ui.exists("circuit.score 0"));
}

TEST_CASE("effects over many texts say which interventions they are with") {
  UiDriver::Options options = aboutLines("influence", "many texts", true);
  options.workspace.interventions = {zeroAblation({.kind = ModelPart::Kind::Head, .layer = 0, .head = 3}),
                                     heldAt("blocks.1.attn.hook_attn_scores", std::vector{0, 4, 1}, 5)};
  UiDriver ui(options);
  CHECK(ui.texts().find(
            "interventions: 1 in every text, 1 in this text alone: other texts have other positions") !=
        std::string::npos);
  CHECK(ui.layoutFaults() == "");
  CHECK_FALSE(ui.scrolls());
  ui.screenshot("small_many texts_intervened");
}

TEST_CASE("the circuits of an encoder's head say why nothing is told of logits") {
  static const ModelLibrary library(std::filesystem::path(SOURCE_FOLDER) / "app");
  UiDriver::Options options = aboutLines("attention", "circuits", false);
  options.loader = [](const std::string& name, const ProgressCallback& watch) {
    return library.load(name, watch);
  };
  options.workspace.model = "translate", options.workspace.source = "The dog was too tired.";
  options.workspace.text = "Der Hund";
  options.workspace.changes = {{"norm_placement", "pre"}};
  commands::selectHead({1, 0, AttentionSite::Encoder}).apply(options.workspace);
  UiDriver ui(options);
  CHECK(ui.texts().find("An encoder head adds to no logit") != std::string::npos);
  CHECK(ui.exists("composed by keys"));
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("circuits_of_an_encoder");
}

TEST_CASE("what has no room in a head's biography is a click away") {
  UiDriver ui(aboutLines("attention", "biography", false));
  CHECK(ui.exists("named duplicate"));
  CHECK(ui.exists("strongest composition"));
  ui.click("strongest composition");
  CHECK(ui.workspace().settings.pictures.at("attention") == "circuits");
}
