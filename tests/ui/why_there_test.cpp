// Why a token looks there, and what comes of it: a score and a head's output taken apart, in the real
// interface.
#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "app/document/model_commands.h"
#include "app/drawing/scene_input.h"
#include "app/engine/model_library.h"
#include "core/lens/contributions.h"
#include "core/lens/largest_parts.h"
#include "core/lens/ov_decomposition.h"
#include "core/lens/qk_decomposition.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("why a token looks there: one score as a table, opened down to its products") {
  for (const auto& [width, height, dark] : usualLooks) {
    UiDriver::Options options;
    options.width = width, options.height = width * 9 / 16;
    options.workspace.look.dark = dark;
    options.workspace.text += " What was too tired? The";
    options.workspace.selection.layer = 2, options.workspace.selection.head = 3;
    options.loader = storiesModel;
    UiDriver ui(options);
    ui.click("Decomposition");
    const std::string look = std::to_string(width) + (dark ? "_dark" : "_light");
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("score_table_" + look);
    ui.click("By block");
    CHECK(ui.layoutFaults() == "");
    CHECK_THAT(ui.texts(), ContainsSubstring("block 1"));
    ui.screenshot("score_table_by_block_" + look);
    ui.click("score table", 0.95f, 0.95f);
    REQUIRE(ui.exists("Why/Close##why"));
    CHECK(ui.app().hover().cell.tensor == score::blockTable);
    ui.press(ImGuiKey_Escape);
    ui.click("Largest first");
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("score_table_ordered_" + look);
    ui.rightClick("score table", 0.05f, 0.05f);
    REQUIRE(ui.exists("Why/Close##why"));
    CHECK(ui.app().hover().cell.tensor == score::table);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("score_table_opened_" + look);
    ui.press(ImGuiKey_Escape);
    ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  }
}

namespace {

UiDriver::Options whyThere(int width, bool dark) {
  UiDriver::Options options;
  options.width = width, options.height = width * 9 / 16;
  options.workspace.look.dark = dark;
  options.workspace.text += " What was too tired? The";
  options.workspace.selection.layer = 2, options.workspace.selection.head = 3;
  options.workspace.settings.pictures["attention"] = "why";
  options.loader = storiesModel;
  return options;
}

float outputNumber(const UiDriver& ui, const char* number) {
  return *valueOf(sourcesOf(ui.snapshot()), {number, {0}});
}

// What the selected head adds to the logit that is asked about at the last token, as contributions have it.
float contributionOfHead(const UiDriver& ui) {
  const ShownPass& pass = *ui.snapshot().pass;
  const Transformer& model = *ui.snapshot().model->transformer;
  TensorSet set;
  measureLogitAttribution(model, *pass.trace, pass.attributedEntry, set);
  const auto parts = contributionParts(model);
  const HeadId head{ui.workspace().selection.layer, ui.workspace().selection.head};
  const auto part = std::ranges::find(parts, ContributionPart{ContributionPart::Kind::Head, head});
  return set[logitAttributionOf(pass.attributedEntry)](pass.trace->tokenCount() - 1,
                                                       static_cast<int>(part - parts.begin()));
}

}  // namespace

TEST_CASE("what a head writes towards a logit: as a table of keys and writers, opened down to its products") {
  for (const auto& [width, height, dark] : usualLooks) {
    UiDriver ui(whyThere(width, dark));
    const std::string look = std::to_string(width) + (dark ? "_dark" : "_light");
    ui.click("OV output");
    CHECK(ui.workspace().settings.chosen("attention.taken_apart") == "output");
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("output_table_" + look);
    ui.click("By block");
    CHECK(ui.layoutFaults() == "");
    CHECK_THAT(ui.texts(), ContainsSubstring("block 1"));
    ui.screenshot("output_table_by_block_" + look);
    ui.click("Largest first");
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("output_table_ordered_" + look);
    ui.rightClick("output table", 0.05f, 0.05f);
    REQUIRE(ui.exists("Why/Close##why"));
    CHECK(ui.app().hover().cell.tensor == output::table);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("output_table_opened_" + look);
    ui.press(ImGuiKey_Escape);
    ui.click("QK score");
    CHECK(ui.workspace().settings.chosen("attention.taken_apart").empty());
    CHECK(ui.exists("score table"));
  }
}

namespace {

UiDriver::Options whyInTranslation() {
  UiDriver::Options options;
  options.models = {{"translate", ""}};
  options.loader = [library = ModelLibrary(SOURCE_FOLDER "/build")](const std::string& name,
                                                                    const ProgressCallback& watch) {
    return library.load(name, watch);
  };
  commands::setModel("translate").apply(options.workspace);
  options.workspace.settings.pictures["attention"] = "why";
  options.workspace.selection.layer = 1, options.workspace.selection.head = 2;
  return options;
}

}  // namespace

TEST_CASE("why a token looks there, and what comes of it: in the source, and across to it") {
  UiDriver ui(whyInTranslation());
  ui.inEveryLook([&](const std::string& look) {
    for (const std::string site : {"Cross", "Encoder", "Decoder"}) {
      INFO(site << " " << look);
      ui.click("Stage/" + site);
      CHECK(ui.exists("score table"));
      CHECK(ui.layoutFaults() == "");
      ui.screenshot("score_table_" + site + "_" + look);
      const TensorView scores =
          (*ui.snapshot().pass->trace)[attentionPoint(1, ui.workspace().selection.site, "hook_attn_scores")];
      ui.hover("score table", 0.5f, 0.5f);
      const Target pair = ui.app().hover();
      CHECK(outputNumber(ui, score::sum) ==
            Approx(scores(2, pair.query, pair.key)).epsilon(1e-4).margin(1e-4));
      ui.click("By block");
      CHECK(ui.layoutFaults() == "");
      ui.screenshot("score_table_by_block_" + site + "_" + look);
      ui.click("Stage/OV output");
      CHECK(ui.layoutFaults() == "");
      CHECK(ui.exists("output table") == (site != "Encoder"));
      if (site == "Encoder") CHECK_THAT(ui.texts(), ContainsSubstring("adds to no logit"));
      ui.screenshot("output_table_" + site + "_" + look);
      ui.click("Stage/QK score");
      ui.click("Model order");
    }
  });
  ui.click("Stage/Cross");
  ui.hover("score table", 0.9f, 0.6f);
  CHECK_THAT(ui.texts(), ContainsSubstring("enc.L1 b_O"));  // who wrote the key
  ui.click("column enc.L1H2");
  CHECK(ui.workspace().selection.site == AttentionSite::Encoder);
  CHECK_THAT(ui.texts(), ContainsSubstring("enc.L1H2"));
}

TEST_CASE("a head's output: found in the palette, of another logit, from the key and the head clicked") {
  UiDriver ui(whyThere(1920, true));
  ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
  ui.type("why there: output");
  ui.press(ImGuiKey_Enter);
  CHECK(ui.workspace().settings.chosen("attention.taken_apart") == "output");
  const float ofAnswer = outputNumber(ui, output::sum);
  CHECK(ofAnswer == Approx(contributionOfHead(ui)).epsilon(1e-4));

  ui.click("Stage/·horse");
  CHECK(ui.workspace().settings.residual.entry == ui.snapshot().pass->attributedEntry);
  CHECK(outputNumber(ui, output::sum) != Approx(ofAnswer).epsilon(1e-3));
  CHECK(outputNumber(ui, output::sum) == Approx(contributionOfHead(ui)).epsilon(1e-4));
  ui.click("Stage/·animal");
  CHECK(ui.workspace().settings.residual.entry == -1);

  const int last = ui.snapshot().pass->trace->tokenCount() - 1;
  ui.click("output table", 0.5f, 0.97f);
  CHECK(ui.workspace().selection.key == last);
  CHECK(ui.app().hover().key == last);
  CHECK_THAT(ui.app().hover().text, ContainsSubstring("L2H3 takes from “·The” what "));

  ui.click("column L1H1");
  CHECK(ui.workspace().selection.layer == 1);
  CHECK(ui.workspace().selection.head == 1);
  CHECK(outputNumber(ui, output::sum) == Approx(contributionOfHead(ui)).epsilon(1e-4));
}

namespace {

// How many of so many keys are listed beside "73 others"; 0: it is not said.
int listedBeside(UiDriver& ui, int tokens) {
  const std::string said = ui.texts();
  for (const int listed : listedRows)
    if (said.find(std::to_string(tokens - listed) + " others") != std::string::npos) return listed;
  return 0;
}

}  // namespace

TEST_CASE("of the longest text the keys that are not listed have a line of their own, which opens them all") {
  UiDriver::Options options = whyThere(1280, true);
  options.workspace.text.clear();
  for (int sentence = 0; sentence < 13; ++sentence)
    options.workspace.text += "The animal didn't cross the street. ";
  options.workspace.settings.choose("attention.taken_apart", "output");
  options.workspace.settings.choose("attention.score_order", "largest");
  UiDriver ui(options);
  const int tokens = ui.snapshot().pass->trace->tokenCount();
  REQUIRE(tokens > 100);
  ui.inEveryLook([&](const std::string& look) {
    CHECK(ui.layoutFaults() == "");
    CHECK(listedBeside(ui, tokens) > 0);
    ui.screenshot("output_table_long_" + look);
  });
  const int listed = listedBeside(ui, tokens);
  const OthersOf others(output::table, listed);
  double all = outputNumber(ui, others.ofRows.c_str());
  const TensorView sums = *sourcesOf(ui.snapshot()).find(output::fromKey);
  for (const int key : largestFirst(sums, listed)) all += double{sums(key)};
  CHECK(all == Approx(outputNumber(ui, output::sum)).epsilon(1e-4).margin(1e-6));
  ui.click("other rows");  // in sight, however low the window is
  CHECK(ui.workspace().settings.chosen("attention.score_order").empty());
  CHECK(ui.texts().find(others.ofRows) == std::string::npos);  // not below the pointer any longer
  ui.inEveryLook([&](const std::string& look) {
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("output_table_long_all_" + look);
  });
}

TEST_CASE(
    "the inspector says no number of a table that another choice has taken away, and undo keeps the choice") {
  UiDriver ui(whyThere(1280, true));
  ui.click("By block");
  ui.hover("score table", 0.5f, 0.5f);
  CHECK_THAT(ui.texts(), ContainsSubstring("lens.score_block_table"));
  ui.hover("Model", 0.5f, 0.99f);
  CHECK_THAT(ui.texts(), ContainsSubstring("lens.score_block_table"));  // stays when the pointer leaves
  ui.click("Largest first");
  CHECK(ui.texts().find("lens.score_block_table") == std::string::npos);
  CHECK_THAT(ui.texts(), ContainsSubstring("Point at a number"));
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK(ui.workspace().settings.chosen("attention.score_order") == "largest");
}

TEST_CASE("the inspector says no number of the picture before") {
  UiDriver ui(whyThere(1280, true));
  ui.hover("score table", 0.5f, 0.5f);
  CHECK_THAT(ui.texts(), ContainsSubstring("lens.score_table"));
  ui.hover("Model", 0.5f, 0.99f);
  ui.click("Matrix");
  CHECK(ui.texts().find("lens.score_table") == std::string::npos);
  CHECK_THAT(ui.texts(), ContainsSubstring("Point at a number"));
}

TEST_CASE("a head's output towards the difference of two logits, in every look") {
  UiDriver ui(whyThere(1920, true));
  ui.click("OV output");
  ui.clickWith(ImGuiMod_Ctrl, "Stage/·horse");
  CHECK_THAT(ui.texts(), ContainsSubstring("towards “·animal” − “·horse”: "));
  ui.click("Largest first");
  ui.inEveryLook([&](const std::string& look) {
    CHECK(ui.layoutFaults() == "");
    CHECK((ui.exists("Stage/·animal") && ui.exists("Stage/·horse")));
    ui.screenshot("output_difference_" + look);
  });
}

TEST_CASE("a head's output: what is switched off is told beside the table, and the sum is none") {
  // The final norm is another one without the head: what it added is compared before that.
  const auto scaleAt = [](const UiDriver& ui) {
    const Trace& trace = *ui.snapshot().pass->trace;
    return trace["ln_final.hook_scale"](trace.tokenCount() - 1, 0);
  };
  float before = 0;
  int entry = 0;
  {
    UiDriver::Options options = whyThere(1920, true);
    options.workspace.settings.choose("attention.taken_apart", "output");
    const UiDriver ui(options);
    before = outputNumber(ui, output::sum) * scaleAt(ui), entry = ui.snapshot().pass->attributedEntry;
  }
  Intervention off;
  off.point = "blocks.2.attn.hook_z", off.index[1] = 3;
  UiDriver::Options options = whyThere(1280, false);
  options.workspace.settings.choose("attention.taken_apart", "output");
  options.workspace.settings.residual.entry = entry;
  options.workspace.interventions = {off};
  UiDriver ui(options);
  CHECK(outputNumber(ui, output::sum) == Approx(0).margin(1e-5));
  CHECK(ui.exists("output table"));
  CHECK(outputNumber(ui, output::interventions) * scaleAt(ui) == Approx(-before).epsilon(1e-3));
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("output_table_switched_off");
}
