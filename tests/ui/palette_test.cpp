// The command palette finds things by their names, by words of papers and courses, and by earlier names.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "app/panels/palette_entries.h"
#include "core/decode/sampling.h"
#include "core/decode/temperature.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("the palette finds what people look for by their own words") {
  struct Case {
    const char *typed, *title;
  };
  for (const Case& c :
       std::initializer_list<Case>{{"ablate", "Ablate head"},
                                   {"knock out", "Ablate head"},
                                   {"save picture", "Export figure…"},
                                   {"export png", "Export figure…"},
                                   {"copy image", "Copy value or figure"},
                                   {"zoom", "Zoom in"},
                                   {"reset", "Reset view"},
                                   {"settings", "Edit architecture…"},
                                   {"quit", "Quit"},
                                   {"full screen", "Full screen"},
                                   {"open file", "Open file…"},
                                   {"save as", "Save session as…"},
                                   {"shortcuts", "Keyboard shortcuts"},
                                   {"tutorial", "Lessons"},
                                   {"lecture language", "Lecture: Transformers for language"},
                                   {"transformers for language", "Lecture: Transformers for language"},
                                   {"light theme", "Toggle theme"},
                                   {"dark mode", "Toggle theme"},
                                   {"help", "Keyboard shortcuts"},
                                   {"documentation", "Open manual"},
                                   {"undo", "Undo"},
                                   {"next word", "Add next token"},
                                   {"please quit", "Quit"},
                                   {"pre-norm", "Edit architecture…"},
                                   {"activation patching", "Attribution: Patching"},
                                   {"path patching", "Attribution: Edge ablation"},
                                   {"direct logit attribution", "Residual stream: Contributions"},
                                   {"QK circuit", "Decomposition: QK score"},
                                   {"counterfactual", "Attribution: Counterfactuals"},
                                   {"logit lens", "Next token: Logit lens"},
                                   {"induction head", "Attention: Head detector"},
                                   {"leave out", "Attribution: Ablation"},
                                   {"beam tree", "Beam search view"},
                                   {"switch this head off", "Ablate head"},
                                   {"norms stand", "Norm placement: Post-norm"}}) {
    INFO(c.typed);
    UiDriver::Options options;
    options.lessons = SOURCE_FOLDER "/assets/lessons";
    UiDriver ui(options);
    ui.press(ImGuiKey_X);  // there is something to undo
    ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
    ui.type(c.typed);
    ui.frames();
    bool isFound = false;
    for (const ItemRecord& item : ui.items())
      isFound = isFound || item.label.starts_with(std::string(c.title) + "##");
    CHECK(isFound);
  }
}

TEST_CASE("the palette finds layouts, choices of the model and settings of decoding, also by other words") {
  struct Case {
    const char* typed;
    bool (*done)(UiDriver&);
  };
  for (const Case& c : std::initializer_list<Case>{
           {"contributions",
            [](UiDriver& ui) {
              return ui.workspace().view == "residual" &&
                     ui.workspace().settings.pictures.at("residual") == "contributions";
            }},
           {"arcs", [](UiDriver& ui) { return ui.workspace().settings.pictures.at("attention") == "arcs"; }},
           {"lens",
            [](UiDriver& ui) {
              return ui.workspace().view == "next_token" &&
                     ui.workspace().settings.pictures.at("next_token") == "lens";
            }},
           {"residual connection",
            [](UiDriver& ui) {
              return ui.workspace().changes == ModelChanges{{"residual", "no"}};
            }},
           {"rotary",
            [](UiDriver& ui) {
              return ui.workspace().changes == ModelChanges{{"position_embedding_type", "rotary"}};
            }},
           {"temperature",
            [](UiDriver& ui) {
              return ui.workspace().decoding.strategy == DecodingStrategy::Sampling &&
                     ui.exists("Timeline/number##Temperature");
            }},
           {"depth", [](UiDriver& ui) { return ui.exists("Timeline/number##Max new tokens"); }},
           {"unrolled network",
            [](UiDriver& ui) { return ui.workspace().settings.pictures.at("cost") == "unrolled"; }},
           {"query compare weigh average",
            [](UiDriver& ui) { return ui.workspace().settings.pictures.at("step") == "walk"; }},
           {"keys values table argmax",
            [](UiDriver& ui) { return ui.workspace().settings.pictures.at("step") == "lookup"; }},
           {"distance convolution filter",
            [](UiDriver& ui) { return ui.workspace().settings.pictures.at("positions") == "filter"; }},
           {"without a value matrix", [](UiDriver& ui) {
              return ui.workspace().changes == ModelChanges{{"readout", "rows"}};
            }}}) {
    INFO(c.typed);
    UiDriver ui;
    ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
    ui.type(c.typed);
    ui.press(ImGuiKey_Enter);
    ui.settle();
    CHECK(c.done(ui));
  }
  UiDriver ui;
  ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
  ui.type("temperature");
  ui.press(ImGuiKey_Enter);
  ui.type("0.8");  // it waits for a number at once
  ui.press(ImGuiKey_Enter);
  CHECK(ui.workspace().decoding.stages.of(temperatureStage) == 0.8f);
}

TEST_CASE("the palette says by which other words a line answers, beside its title") {
  const PaletteEntry lookup{"Forward pass: Soft lookup", "", {}, "soft lookup, hash table, key-value table"};
  CHECK(answeringWords(lookup, "HASH ta") == "hash table");
  CHECK(answeringWords(lookup, "value table") == "key-value table");
  CHECK(answeringWords(lookup, "lookup pass") == "");
  UiDriver ui;
  ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
  ui.type("hash");
  ui.frames();
  CHECK_THAT(ui.texts(), ContainsSubstring("Forward pass: Soft lookup\nhash table\n"));
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("palette_words");
}
