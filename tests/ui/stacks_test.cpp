// Encoder-decoders and models that fill gaps in the real interface: writing in the source, every attention,
// what cannot be done said in words.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/decode/candidates.h"
#include "tests/small_model.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

UiDriver::Options openedStacks(const FamilyMember& member, int width = 1280, int height = 720,
                               bool dark = true) {
  UiDriver::Options options;
  options.width = width, options.height = height;
  options.workspace.text = member.text, options.workspace.source = member.source;
  options.workspace.look.dark = dark, options.workspace.look.followsSystem = false;
  options.workspace.decoding.depth = 4;
  options.loader = [member](const std::string& name, const ProgressCallback&) -> Result<LoadedModel> {
    return member.model(name);
  };
  return options;
}
const FamilyMember& encoderDecoder() {
  static const FamilyMember member = familyMembers()[0];
  return member;
}
FamilyMember encoderOnly() { return familyMembers()[2]; }

}  // namespace

TEST_CASE("what is typed into the source is read at once, and the attention across follows") {
  UiDriver ui(openedStacks(encoderDecoder()));
  ui.click("Cross");
  CHECK(ui.workspace().selection.site == AttentionSite::Cross);
  const int before = ui.snapshot().pass->countOf(Stream::Source);
  ui.press(ImGuiKey_Slash);
  ui.type("/");
  ui.frames();
  ui.type(" The street was wide.");
  ui.settle();
  CHECK_THAT(ui.workspace().source, ContainsSubstring("The street was wide."));
  CHECK(ui.workspace().text == encoderDecoder().text);
  const int after = ui.snapshot().pass->countOf(Stream::Source);
  CHECK(after > before);
  CHECK((*ui.snapshot().pass->trace)["decoder.0.cross_attn.hook_pattern"].extent[2] == after);
  ui.hover("attention", 0.99f, 0.99f);
  CHECK(ui.app().hover().key == after - 1);
  CHECK(ui.app().hover().keys == Stream::Source);
  ui.press(ImGuiKey_Escape);
  ui.click("Target", 0.9f, 0.8f);
  ui.type(" warm");
  ui.settle();
  CHECK(ui.workspace().text == encoderDecoder().text + " warm");
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK(ui.workspace().text == encoderDecoder().text);
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK(ui.workspace().source == encoderDecoder().source);
}

TEST_CASE("an empty source says what to write; an empty target begins with the start sign") {
  UiDriver::Options options = openedStacks(encoderDecoder());
  options.workspace.source.clear();
  UiDriver ui(options);
  CHECK_THAT(ui.snapshot().standing.error, ContainsSubstring("The source is empty"));
  ui.screenshot("stacks_empty_source");
  ui.click("Source");
  ui.type("The cat sat on the mat.");
  ui.settle();
  CHECK(ui.snapshot().standing.error.empty());
  REQUIRE(ui.snapshot().pass->hasTrace());
  ui.click("Target");
  ui.press(ImGuiKey_A, ImGuiMod_Ctrl);
  ui.press(ImGuiKey_Delete);
  ui.settle();
  CHECK(ui.snapshot().pass->countOf(Stream::Text) == 1);
  CHECK(ui.snapshot().pass->tokens.front().label ==
        ui.snapshot().model->entryLabel(ui.snapshot().pass->tokens.front().id));
  ui.press(ImGuiKey_Escape);
  ui.settle();
  ui.click("Translate");
  ui.settle();
  CHECK_FALSE(ui.workspace().text.empty());
  CHECK(ui.layoutFaults() == "");
}

TEST_CASE("every view and attention of an encoder-decoder, in two sizes and both themes") {
  UiDriver ui(openedStacks(encoderDecoder()));
  const auto look = [&](const std::string& name) {
    ui.inEveryLook([&](const std::string& look) {
      ui.hover("Stage view", 0.01f, 0.97f);
      ui.screenshot("stacks_" + name + "_" + look);
      INFO(name << " " << look);
      CHECK(ui.layoutFaults().substr(0, 400) == "");
    });
  };
  for (const char* site : {"Encoder", "Cross", "Decoder"}) {
    ui.click(std::string("Stage/") + site);
    for (const char* layout : {"Text heatmap", "Arcs", "Two heads", "Matrix"}) {
      ui.click(layout);
      look(std::string(site) + "_" + layout);
    }
  }
  for (const char* view : {"Residual", "Next token", "Positions", "Tokens", "Beams", "Forward"}) {
    ui.click(std::string("Top bar/") + view);
    look(view);
  }
  ui.click("Top bar/Attribution");
  for (const std::string layout : {"Saliency matrix", "By distance", "Saliency map"}) {
    ui.click("Stage/" + layout);
    look("influence_" + layout);
  }
}

TEST_CASE("residual stream and tokens are of the target or of the source, with all that follows") {
  for (const bool dark : {true, false}) {
    UiDriver ui(openedStacks(encoderDecoder(), dark ? 1920 : 1280, dark ? 1080 : 720, dark));
    const std::string suffix = dark ? "_dark" : "_light";
    const auto look = [&](const std::string& name) {
      ui.screenshot("stacks_source_" + name + suffix);
      INFO(name << suffix);
      CHECK(ui.layoutFaults().substr(0, 400) == "");
    };
    ui.click("Top bar/Residual");
    ui.click("Stage/Encoder");
    const int source = ui.snapshot().pass->countOf(Stream::Source);
    REQUIRE(ui.snapshot().pass->measurements->contains("lens.encoder.residual_norm"));
    CHECK((*ui.snapshot().pass->measurements)["lens.encoder.residual_norm"].extent[1] == source);
    ui.click("residual norms", 0.5f, (1 + 0.5f) / static_cast<float>(source));
    CHECK(ui.workspace().selection.source == 1);
    CHECK(ui.app().hover().tokens == Stream::Source);
    CHECK(ui.app().hover().cell.tensor == "lens.encoder.residual_norm");
    look("norms");
    ui.click("Cosine");
    CHECK(ui.snapshot().pass->measurements->contains("lens.encoder.residual_cosine"));
    look("cosine");
    ui.click("LayerNorm scale");
    CHECK(ui.snapshot().pass->measurements->contains("lens.encoder.norm_scale"));
    look("scale");
    ui.click("Contributions");
    look("contributions");

    ui.click("Top bar/Tokens");
    CHECK(ui.snapshot().pass->tokens.size() < 5);
    CHECK(ui.exists("row 5"));
    ui.click("row 0");
    CHECK(ui.workspace().selection.source == 0);
    REQUIRE(ui.snapshot().pass->words);
    CHECK(ui.snapshot().pass->wordsOf == Stream::Source);
    look("tokens");
    ui.click("Stage/Target");
    CHECK(ui.snapshot().pass->wordsOf == Stream::Text);
    ui.click("row 1");
    CHECK(ui.workspace().selection.query == 1);
  }
}

TEST_CASE("a model that fills gaps: the mask is one token, and says what belongs there") {
  for (const bool dark : {true, false}) {
    UiDriver ui(openedStacks(encoderOnly(), 1280, 720, dark));
    const auto masked = static_cast<std::size_t>(ui.snapshot().positionOr(-1, Stream::Text));
    CHECK(ui.snapshot().pass->tokens[masked].id == ui.snapshot().model->maskToken);
    for (const char* nothing : {"Timeline/Greedy", "Timeline/Add token", "Timeline/number##Max new tokens"})
      CHECK_FALSE(ui.exists(nothing));
    const DecodingStrategy strategy = ui.workspace().decoding.strategy;
    for (const ImGuiKey key : {ImGuiKey_G, ImGuiKey_S, ImGuiKey_B}) ui.press(key);
    CHECK(ui.workspace().decoding.strategy == strategy);
    ui.click("Next token");
    ui.screenshot(std::string("stacks_fill_next_token") + (dark ? "_dark" : "_light"));
    CHECK(ui.layoutFaults() == "");
    // The model's best guess that is not the mask itself.
    const auto guesses =
        candidatesOf((*ui.snapshot().pass->trace)["logits"][static_cast<int>(masked)].copy());
    const auto best = std::find_if(guesses.begin(), guesses.end(), [&](const Candidate& guess) {
      return guess.token != ui.snapshot().model->maskToken &&
             !ui.snapshot().model->bytesOf(std::span(&guess.token, 1)).empty();
    });
    const int likeliest = best->token;
    const std::string label = ui.snapshot().model->entryLabel(likeliest);
    ui.click("next " + label);
    ui.settle();
    CHECK_THAT(ui.workspace().text, !ContainsSubstring("<|mask|>"));
    ui.press(ImGuiKey_M, ImGuiMod_Alt);
    ui.settle();
    CHECK_THAT(ui.workspace().text, ContainsSubstring("<|mask|>"));
    for (const char* view : {"Attention", "Beams", "Tokens", "Attribution"}) {
      ui.click(std::string("Top bar/") + view);
      ui.screenshot(std::string("stacks_fill_") + view + (dark ? "_dark" : "_light"));
      CHECK(ui.layoutFaults() == "");
    }
  }
}

TEST_CASE("the parts of either stack are switched off") {
  UiDriver ui(openedStacks(encoderDecoder()));
  ui.click("Cross");
  ui.press(ImGuiKey_X);
  CHECK(ui.workspace().interventions.back().point == "decoder.0.cross_attn.hook_z");
  ui.press(ImGuiKey_X, ImGuiMod_Shift);
  CHECK(ui.workspace().interventions.back().point == "decoder.0.hook_cross_attn_out");
  ui.click("Stage/Encoder");
  ui.press(ImGuiKey_X, ImGuiMod_Alt);
  CHECK(ui.workspace().interventions.back().point == "encoder.0.hook_mlp_out");
  ui.settle();
  CHECK((*ui.snapshot().pass->trace)["encoder.0.hook_mlp_out"](0, 0) == 0);
}
