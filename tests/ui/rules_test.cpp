// Where a head looks, said in the window and put in its pattern's place.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>

#include "app/document/neuron_settings.h"
#include "app/document/rule_settings.h"
#include "app/document/switches.h"
#include "app/engine/rule_numbers.h"
#include "app/scene/format.h"
#include "core/lens/pattern_replacement.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

UiDriver::Options hypothesising(const UsualLook& look = usualLooks[0]) {
  UiDriver::Options options{.width = look.width, .height = look.height, .loader = storiesModel};
  options.workspace.text = "The dog was too tired. The";
  options.workspace.view = "attention", options.workspace.settings.pictures["attention"] = "matrix";
  options.workspace.selection.layer = 2, options.workspace.selection.head = 1;
  options.workspace.look.dark = look.dark, options.workspace.look.followsSystem = false;
  return options;
}

TensorView patternIn(const UiDriver& ui) {
  return (*ui.snapshot().pass->trace)["blocks.2.attn.hook_pattern"][1];
}

// Query t looks at the key before it alone, the first one at itself.
bool looksBefore(const UiDriver& ui) {
  const TensorView pattern = patternIn(ui);
  for (int t = 0; t < pattern.extent[0]; ++t)
    for (int s = 0; s <= t; ++s)
      if (pattern(t, s) != (s == std::max(t - 1, 0) ? 1.0f : 0.0f)) return false;
  return true;
}

}  // namespace

TEST_CASE("what is said of a head takes its pattern's place, follows the text, and is taken back") {
  UiDriver ui(hypothesising());
  const float before = (*ui.snapshot().pass->trace)["logits"](3, 7);
  CHECK_FALSE(looksBefore(ui));
  ui.press(ImGuiKey_H, ImGuiMod_Shift);
  CHECK_THAT(ui.texts(), ContainsSubstring("Overlap of each rule"));
  ui.click("hypothesis previous");
  ui.click("Apply");
  CHECK(looksBefore(ui));
  CHECK((*ui.snapshot().pass->trace)["logits"](3, 7) != before);
  CHECK_THAT(ui.texts(), ContainsSubstring("L2H1 attends by previous"));
  ui.press(ImGuiKey_Escape);
  const int tokens = patternIn(ui).extent[0];
  ui.press(ImGuiKey_Space);  // the next token
  CHECK(patternIn(ui).extent[0] == tokens + 1);
  CHECK(looksBefore(ui));
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK_FALSE(looksBefore(ui));
  CHECK((*ui.snapshot().pass->trace)["logits"](3, 7) == before);
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl | ImGuiMod_Shift);
  CHECK(looksBefore(ui));
  ui.press(ImGuiKey_H, ImGuiMod_Shift);
  ui.click("Hypothesis/Remove");
  CHECK(ui.workspace().interventions.empty());
  CHECK((*ui.snapshot().pass->trace)["logits"](3, 7) == before);
}

TEST_CASE("every rule has its overlap with the head, and one takes another's place") {
  for (const UsualLook& look : usualLooks) {
    UiDriver ui(hypothesising(look));
    ui.press(ImGuiKey_H, ImGuiMod_Shift);
    ui.screenshot("hypothesis_" + look.name());
    CHECK(ui.layoutFaults().substr(0, 400) == "");
    ui.click("hypothesis previous");
    ui.click("Apply");
    CHECK(looksBefore(ui));
    ui.screenshot("hypothesis_stands_" + look.name());
    CHECK(ui.layoutFaults().substr(0, 400) == "");
    // Another one takes its place, and not the other head's.
    ui.click("hypothesis first");
    ui.click("Apply");
    CHECK(ui.workspace().interventions.size() == 1);
    CHECK(patternIn(ui)(4, 0) == 1);
    CHECK(ui.find("Apply").disabled);
  }
}

TEST_CASE("from the panel to many texts: heads and hypotheses are gone through, what differs opens") {
  for (const UsualLook& look : usualLooks) {
    UiDriver::Options options = hypothesising(look);
    options.workspace.settings.choose(neuronCorpus, corpusOfTabs);
    UiDriver ui(options);
    ui.press(ImGuiKey_H, ImGuiMod_Shift);
    ui.click("hypothesis duplicate");
    ui.click("Over a dataset");
    ui.settle();
    CHECK(ui.workspace().rule == "duplicate");
    REQUIRE(ui.snapshot().kept.measured);
    CHECK_THAT(ui.texts(), ContainsSubstring("Heads by “duplicate token”"));
    ui.screenshot("bench_" + look.name());
    CHECK(ui.layoutFaults().substr(0, 400) == "");
    ui.click("heads by attention rule", 0.6f, 0.3f);  // the third head of the second block
    CHECK(ui.workspace().selection.layer == 1);
    CHECK(ui.workspace().selection.head == 2);
    ui.press(ImGuiKey_DownArrow);
    CHECK(ui.workspace().selection.layer == 2);
    ui.click("named previous", 0.5f, 0.5f);
    CHECK(ui.workspace().rule == "previous");
    ui.click("Loss recovered");
    ui.settle();
    CHECK(std::isfinite((*ui.snapshot().kept.measured)[bench::worth](3, 3)));
    ui.screenshot("bench_recovered_" + look.name());
    CHECK(ui.layoutFaults().substr(0, 400) == "");
    const int query = static_cast<int>((*ui.snapshot().kept.measured)[bench::query](0)),
              tabs = ui.workspace().tabCount();
    ui.click("differs 0", 0.02f, 0.5f);
    CHECK(ui.workspace().tabCount() == tabs + 1);
    CHECK(ui.workspace().selection.query == query);
    CHECK_THAT(ui.texts(), ContainsSubstring("Block 2, head 2"));
    ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
    CHECK(ui.workspace().tabCount() == tabs);
    CHECK(ui.workspace().rule == "previous");
    ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
    CHECK(ui.workspace().rule == "duplicate");
  }
}

TEST_CASE("a bar of agreements opens to the texts it counts") {
  for (const UsualLook& look : usualLooks) {
    UiDriver::Options options = hypothesising(look);
    options.workspace.settings.choose(neuronCorpus, corpusOfTabs);
    options.workspace.settings.pictures["attention"] = "hypothesis";
    options.workspace.rule = "previous";
    UiDriver ui(options);
    const auto isRead = [&] {
      const auto& measured = ui.snapshot().kept.measured;
      return measured && measured->contains(bench::inBin);
    };
    ui.await(isRead);
    REQUIRE(isRead());
    const std::vector<float> bins = (*ui.snapshot().kept.measured)[bench::distribution].copy();
    const int bin = static_cast<int>(std::ranges::find(bins, 1.0f) - bins.begin());
    REQUIRE(bin < agreementBins);
    ui.hover(("agreement bin " + std::to_string(bin)).c_str(), 0.5f, 0.9f);
    ui.press(ImGuiKey_W);
    CHECK_THAT(ui.texts(), ContainsSubstring("THE SUM OF: 1 term"));
    CHECK_THAT(ui.texts(), ContainsSubstring("overlap " + formattedBin(bin, agreementBins)));
    ui.screenshot("why_bin_" + look.name());
    CHECK(ui.layoutFaults().substr(0, 400) == "");
    ui.click("Why/hypothesis.in_bin##term0.0");
    CHECK_THAT(ui.texts(), ContainsSubstring("A FUNCTION OF THE SUM OF: 2 terms"));
    ui.click("Why/hypothesis.of_texts##term0.0");
    ui.await([&] { return ui.texts().find("lens.row_shared") != std::string::npos; });
    CHECK_THAT(ui.texts(), ContainsSubstring("lens.row_shared"));
    ui.screenshot("why_bin_text_" + look.name());
    CHECK(ui.layoutFaults().substr(0, 400) == "");
    ui.press(ImGuiKey_Escape);
  }
}

TEST_CASE("a rule that names no key of a text says so") {
  for (const UsualLook& look : usualLooks) {
    UiDriver::Options options = hypothesising(look);
    options.workspace.settings.choose(neuronCorpus, corpusOfTabs);
    options.workspace.settings.pictures["attention"] = "hypothesis";
    options.workspace.rule = "pairs {0:1}";  // which the mask hides
    UiDriver ui(options);
    ui.settle();
    ui.hover("heads by attention rule", 0.6f, 0.3f);
    CHECK_THAT(ui.texts(), ContainsSubstring("has no effect here"));
    CHECK(ui.texts().find("NaN") == std::string::npos);
    ui.screenshot("bench_says_nothing_" + look.name());
    CHECK(ui.layoutFaults().substr(0, 400) == "");
    ui.press(ImGuiKey_W);
    CHECK_THAT(ui.texts(), ContainsSubstring("has no effect here"));
    ui.screenshot("why_says_nothing_" + look.name());
    CHECK(ui.layoutFaults().substr(0, 400) == "");
  }
}

TEST_CASE("where a head looks is painted, likened to what has a name, and undone by strokes") {
  for (const bool dark : {true, false}) {
    UiDriver::Options options = hypothesising({1280, 720, dark});
    options.workspace.settings.choose(neuronCorpus, corpusOfTabs);
    UiDriver ui(options);
    ui.press(ImGuiKey_P, ImGuiMod_Shift);
    CHECK(ui.workspace().settings.attention.pairing);
    const auto tokens = static_cast<float>(patternIn(ui).extent[0]);
    const auto at = [&](int i) { return (static_cast<float>(i) + 0.5f) / tokens; };
    ui.click("attention", at(1), at(2));
    ui.click("attention", at(2), at(3));
    ui.click("attention", at(5), at(4));  // which the mask hides
    CHECK(ui.workspace().rule == "pairs {2:1, 3:2}");
    CHECK_THAT(ui.texts(), ContainsSubstring("L2H1 shares ") && ContainsSubstring("Most like it"));
    ui.screenshot(std::string("painted_pairs_") + (dark ? "dark" : "light"));
    CHECK(ui.layoutFaults().substr(0, 400) == "");
    ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);  // the hidden one is no stroke
    CHECK(ui.workspace().rule == "pairs {2:1}");
    ui.press(ImGuiKey_H, ImGuiMod_Shift);
    CHECK(ui.exists("hypothesis pairs {2:1}"));
    ui.press(ImGuiKey_Escape);
    ui.click("previous");  // the likest
    ui.settle();
    CHECK(ui.workspace().rule == "previous");
    CHECK_THAT(ui.texts(), ContainsSubstring("Heads by “previous token”"));
    ui.press(ImGuiKey_P, ImGuiMod_Shift);
    ui.click("Stage/Done");
    CHECK_FALSE(ui.workspace().settings.attention.pairing);
  }
}

TEST_CASE("the biography of a head leads from each of its entries to where that is shown in full") {
  for (const UsualLook& look : usualLooks) {
    UiDriver::Options options = hypothesising(look);
    options.workspace.settings.choose(neuronCorpus, corpusOfTabs);
    options.workspace.settings.pictures["attention"] = "biography";
    UiDriver ui(options);
    CHECK_THAT(ui.texts(), ContainsSubstring("Block 2, head 1") && ContainsSubstring("Most peaked rows"));
    ui.screenshot("biography_" + look.name());
    CHECK(ui.layoutFaults().substr(0, 400) == "");
    const auto back = [&] {
      ui.click("Top bar/Attention");
      if (!ui.exists("Stage/Head profile")) ui.click("Stage/Head report");
      ui.click("Stage/Head profile");
      ui.settle();
    };
    ui.click("named first", 0.5f, 0.5f);
    CHECK_THAT(ui.texts(), ContainsSubstring("Heads by “first token”"));
    back();
    ui.click("worth of the pattern", 0.5f, 0.5f);
    CHECK(ui.workspace().settings.chosen(benchNumber) == benchWorth);
    back();
    ui.click("its pattern", 0.5f, 0.5f);
    CHECK(ui.workspace().settings.pictures.at("attention") == "matrix");
    back();
    ui.click("Ablation");
    CHECK(ui.workspace().view == "influence");
    back();
    ui.click("strongest composition", 0.5f, 0.5f);
    CHECK(ui.workspace().settings.pictures.at("attention") == "circuits");
    CHECK_THAT(ui.texts(), ContainsSubstring("QK and OV circuits of L2H1") && ContainsSubstring(" raises "));
    if (look.width == 1920) {  // else further down
      ui.click("composed by keys", 0.5f, 0.1f);
      CHECK(ui.workspace().selection.layer == 0);
    }
    back();
    const int tabs = ui.workspace().tabCount();
    ui.wheel("its pattern", -20);  // where the window is low the texts are further down
    ui.click("differs 0", 0.02f, 0.5f);
    CHECK(ui.workspace().tabCount() == tabs + 1);
  }
}
