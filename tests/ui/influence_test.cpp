// What predictions depend on, in the real interface: choosing, pointing, switching off.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "app/document/attribution_settings.h"
#include "app/document/switches.h"
#include "app/document/tabs.h"
#include "app/engine/ablation_map.h"
#include "app/engine/counterfactual_search.h"
#include "app/engine/model_library.h"
#include "app/engine/patch_map.h"
#include "app/scene/format.h"
#include "core/lens/contributions.h"
#include "core/lens/integrated_gradients.h"
#include "tests/small_model.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

UiDriver::Options openedInfluence() {
  UiDriver::Options options;
  options.width = 1280, options.height = 720;
  options.loader = [](const std::string& name, const ProgressCallback&) -> Result<LoadedModel> {
    return makeSmallModel(name, 2, 4, 128);
  };
  return options;
}

std::string positionsCounted(const UiDriver& ui) {
  return std::string(ui.workspace().settings.chosen(countedPositions));
}

float influenceOf(const UiDriver& ui, int token) {
  return (*ui.snapshot().pass->measurements)["lens.influence"](token);
}

// Row and column of the largest number of either sign; NaN is none.
std::pair<int, int> largestCell(const TensorView& matrix) {
  std::pair<int, int> at;
  float most = -1;
  for (int row = 0; row < matrix.extent[0]; ++row)
    for (int column = 0; column < matrix.extent[1]; ++column)
      if (const float size = std::abs(matrix(row, column)); size > most) most = size, at = {row, column};
  return at;
}

// Of the answers that can be asked about, the last that is not asked about.
std::string otherAnswer(const UiDriver& ui) {
  const std::string asked =
      "logit of " + ui.snapshot().model->entryLabel(ui.snapshot().pass->predicted.entry);
  std::string other;
  for (const ItemRecord& item : ui.items())
    if (item.label.starts_with("logit of ") && item.label != asked) other = item.label;
  REQUIRE(!other.empty());
  return other;
}

// Where the middle of a cell is, as a fraction of all of them.
float middleOf(int cell, int cells) { return (static_cast<float>(cell) + 0.5f) / static_cast<float>(cells); }

}  // namespace

TEST_CASE("the prediction asked about is chosen by its token and by its answer") {
  UiDriver ui(openedInfluence());
  ui.press(ImGuiKey_8);
  ui.settle();
  CHECK(ui.workspace().view == "influence");
  ui.click("word 3");
  ui.settle();
  CHECK(ui.workspace().selection.query == 3);
  CHECK(ui.snapshot().pass->predicted.position == 3);
  CHECK(influenceOf(ui, 3) > 0);
  CHECK(influenceOf(ui, 4) == 0);
  ui.hover("bar 4");
  CHECK(ui.app().hover().cell == TensorRef{"lens.influence", {4}});
  CHECK(ui.app().hover().token == 4);
  CHECK_THAT(ui.app().hover().text, ContainsSubstring("no influence of") && ContainsSubstring("position 4"));
  ui.screenshot("influence_pointed");
  CHECK(ui.layoutFaults() == "");
}

TEST_CASE("another token's logit can be asked about, and the model's own answer again") {
  UiDriver::Options options = openedInfluence();
  options.workspace.view = "influence", options.workspace.settings.influence.entry = 17;
  UiDriver ui(options);
  CHECK(ui.snapshot().pass->predicted.entry == 17);
  const float before = influenceOf(ui, 0);
  CHECK(ui.exists("logit of " + ui.snapshot().model->entryLabel(17)));
  const int answer = likeliestEntry(*ui.snapshot().pass->trace, ui.snapshot().pass->predicted.position);
  REQUIRE(answer != 17);
  ui.click("logit of " + ui.snapshot().model->entryLabel(answer));
  ui.settle();
  CHECK(ui.workspace().settings.influence.entry == -1);
  CHECK(ui.snapshot().pass->predicted.entry == answer);
  CHECK(influenceOf(ui, 0) != before);
}

TEST_CASE("the matrix chooses its row, and follows what is typed and switched off") {
  UiDriver ui(openedInfluence());
  ui.press(ImGuiKey_8);
  ui.click("Stage/Saliency matrix");
  ui.settle();
  const int tokens = ui.snapshot().pass->countOf(Stream::Text);
  ui.click("influences", 0.01f, 0.5f);
  ui.settle();
  CHECK(ui.workspace().selection.query == tokens / 2);
  ui.hover("influences", 0.01f, 0.99f);
  CHECK(ui.app().hover().query == tokens - 1);
  CHECK(ui.app().hover().key == 0);
  const float before = (*ui.snapshot().pass->measurements)["lens.influence_matrix"](tokens - 1, 0);
  CHECK(before > 0);
  ui.press(ImGuiKey_X, ImGuiMod_Shift);
  ui.settle();
  CHECK((*ui.snapshot().pass->measurements)["lens.influence_matrix"](tokens - 1, 0) != before);
  ui.press(ImGuiKey_Slash);
  ui.type("/");
  ui.frames();
  ui.type(" It was warm.");
  ui.settle();
  CHECK(ui.snapshot().pass->countOf(Stream::Text) > tokens);
  CHECK((*ui.snapshot().pass->measurements)["lens.influence_matrix"].extent[0] ==
        ui.snapshot().pass->countOf(Stream::Text));
}

TEST_CASE("which head attends as induction heads do, and whether it matters, takes three clicks") {
  for (const auto& [model, head, number] :
       {std::tuple("induction", "L1H0", "when ablated"), std::tuple("stories", "L2H0", "−10.40")}) {
    UiDriver::Options options;
    options.width = 1280, options.height = 720;
    options.loader = [](const std::string& name, const ProgressCallback&) {
      return ModelLibrary(SOURCE_FOLDER "/build").load(name);
    };
    options.workspace.model = model;
    options.workspace.text =
        std::string(model) == "induction"
            ? "qmbxzqmb"
            : "The animal didn't cross the street because it was too tired. What was too tired? The";
    UiDriver ui(options);
    ui.click("Head report");
    const int layer = head[1] - '0', column = head[3] - '0';
    const auto& config = *ui.snapshot().model->config;
    ui.click("heads by attention rule",
             (static_cast<float>(column) + 0.5f) / static_cast<float>(config.heads),
             (static_cast<float>(layer) + 0.5f) / static_cast<float>(config.layers));
    ui.click("Ablation");
    ui.settle();
    CHECK(ui.workspace().settings.pictures.at("influence") == "leave out");
    CHECK_THAT(ui.texts(), ContainsSubstring(std::string(head) + ":") && ContainsSubstring(number));
    CHECK(ui.layoutFaults() == "");
    ui.screenshot(std::string("head_matters_") + model);
    ui.press(ImGuiKey_F5);
    ui.settle();
    CHECK_THAT(ui.texts(), ContainsSubstring(std::string(head) + ":"));
    CHECK(ui.layoutFaults() == "");
    ui.screenshot(std::string("head_matters_presented_") + model);
  }
}

TEST_CASE("all heads stand large in one grid, one click in and out") {
  UiDriver::Options options;
  options.width = 1280, options.height = 720;
  options.loader = storiesModel;
  UiDriver ui(options);
  ui.click("All");
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("all_heads");
  ui.hover("all heads 2.1", 0.01f, 0.99f);
  CHECK(ui.app().hover().key == 0);
  CHECK(ui.app().hover().head == 1);
  ui.click("all heads 2.1", 0.01f, 0.99f);
  CHECK(ui.exists("attention"));
  CHECK(selectedHead(ui.workspace(), *ui.snapshot().model->config) == HeadId{2, 1});
}

TEST_CASE("every part is left out in turn; a click leaves it out for good") {
  for (const auto& [width, height, dark] : usualLooks) {
    UiDriver::Options options;
    options.width = width, options.height = width * 9 / 16;
    options.workspace.look.dark = dark;
    options.workspace.view = "influence";
    options.workspace.text += " What was too tired? The";
    options.loader = storiesModel;
    UiDriver ui(options);
    ui.click("Ablation");
    REQUIRE(ui.snapshot().kept.measured);
    const std::string look = std::to_string(width) + (dark ? "_dark" : "_light");
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("leave_out_" + look);
    CHECK_THAT(ui.texts(), ContainsSubstring("L0H0:") && ContainsSubstring("when ablated"));
    ui.click("KL");
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("leave_out_divergence_" + look);
    ui.click("Loss");
    ui.click("Last");
    CHECK(ui.layoutFaults() == "");
    CHECK_THAT(ui.texts(), ContainsSubstring("loss when ablated"));
    ui.screenshot("leave_out_loss_" + look);
    ui.click("Trained");
    CHECK(positionsCounted(ui) == "");
    ui.drag("counted tokens", -120, 0);  // from the middle, which is no longer counted
    CHECK(listedPositions(positionsCounted(ui), 1).has_value());
    CHECK_THAT(ui.texts(), ContainsSubstring("mean over tokens " + positionsCounted(ui)));
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("leave_out_painted_" + look);
    ui.click("Trained");
    CHECK(positionsCounted(ui) == "");
    ui.click("Logit");
    ui.click("Estimate");
    ui.hover("estimated head L2H0");
    CHECK_THAT(ui.app().hover().text, ContainsSubstring("error of the estimate"));
    CHECK(ui.app().hover().cell.tensor == causal::estimate);
    CHECK_THAT(ui.texts(), ContainsSubstring("exact, and by the gradient; error"));
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("leave_out_estimate_" + look);
    ui.click("ablated head L2H3");
    REQUIRE(ui.workspace().interventions.size() == 1);
    CHECK(isOff(ui.workspace().interventions, {ModelPart::Kind::Head, 2, 3}));
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("left_out_" + look);
    ui.click("ablated head L2H3");
    CHECK(ui.workspace().interventions.empty());
    ui.click("By position");
    REQUIRE(ui.snapshot().kept.measured->contains(causal::at(causal::divergence, true)));
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("leave_out_estimate_positions_" + look);
    ui.click("Estimate");
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("leave_out_positions_" + look);
    const int tokens = ui.snapshot().pass->trace->tokenCount();
    const float across = (static_cast<float>(tokens) - 0.5f) / static_cast<float>(tokens);
    ui.click("ablated by position", across, 0.5f);  // the row in the middle
    REQUIRE(ui.workspace().interventions.size() == 1);
    CHECK(ui.workspace().interventions.front().index[0] == tokens - 1);
    ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
    CHECK(ui.workspace().interventions.empty());
    // Held at its mean in place of left out, at one token and at all.
    ui.click("Mean");
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("held_at_mean_positions_" + look);
    ui.click("ablated by position", across, 0.5f);
    REQUIRE(ui.workspace().interventions.size() == 1);
    CHECK(ui.workspace().interventions.front().tensor);
    CHECK(ui.workspace().interventions.front().index[0] == tokens - 1);
    ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
    ui.click("All positions");
    ui.hover("ablated head L2H3");
    CHECK_THAT(ui.app().hover().text, ContainsSubstring("at its mean"));
    ui.click("ablated head L2H3");
    REQUIRE(ui.workspace().interventions.size() == 1);
    CHECK_THAT(ui.workspace().interventions.front().origin, ContainsSubstring("its mean over “"));
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("held_at_mean_" + look);
    ui.click("ablated head L2H3");
    CHECK(ui.workspace().interventions.empty());
  }
}

TEST_CASE("two texts are patched with one another; a click keeps a patch") {
  for (const auto& [width, height, dark] : usualLooks) {
    UiDriver::Options options;
    options.width = width, options.height = width * 9 / 16;
    options.workspace.look.dark = dark;
    options.workspace.view = "influence";
    setTabs(options.workspace,
            {TabText("The animal didn't cross the street because it was too tired. What was too tired? The"),
             TabText("The animal didn't cross the street because it was too wide. What was too wide? The")},
            0);
    options.loader = storiesModel;
    UiDriver ui(options);
    ui.click("Patching");
    const std::string look = std::to_string(width) + (dark ? "_dark" : "_light");
    ui.screenshot("patch_alone_" + look);
    CHECK(ui.layoutFaults() == "");
    ui.press(ImGuiKey_C);
    REQUIRE(ui.workspace().comparison.isOn());
    REQUIRE(ui.snapshot().other);
    REQUIRE(ui.snapshot().kept.measured);
    REQUIRE(ui.snapshot().other->kept.measured);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("patch_" + look);

    // How far this text's answer is ahead of the other's, and the patch that changes it most.
    const int own = ui.snapshot().pass->predicted.entry,
              other = static_cast<int>((*ui.snapshot().kept.measured)[patching::other](0));
    REQUIRE(own != other);
    const auto lead = [&] {
      const TensorView logits = (*ui.snapshot().pass->trace)["logits"];
      const int last = logits.extent[0] - 1;
      return logits(last, own) - logits(last, other);
    };
    const TensorView changes = (*ui.snapshot().kept.measured)[patching::change];
    const auto [row, column] = largestCell(changes);
    const float before = lead(), change = changes(row, column);
    CHECK(change < -1);
    const std::vector<float> beside = (*ui.snapshot().other->pass->trace)["logits"].copy();
    const auto clickCell = [&, rows = changes.extent[0], columns = changes.extent[1], row = row,
                            column = column](const char* pane) {
      ui.click(std::string(pane) + "/patches", middleOf(column, columns), middleOf(row, rows));
    };
    clickCell("Stage view");
    REQUIRE(ui.workspace().interventions.size() == 1);
    CHECK(std::abs(lead() - before - change) < 1e-3f);
    // Numbers of the other text in this one: that one goes on as it was, which the list says.
    CHECK((*ui.snapshot().other->pass->trace)["logits"].copy() == beside);
    CHECK_THAT(ui.texts(), ContainsSubstring("in this text alone, not in the other"));
    ui.hover("Stage view", 0.01f, 0.99f);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("patch_kept_" + look);
    ui.click("Undo");
    CHECK(ui.workspace().interventions.empty());
    CHECK(lead() == before);
    // The other text's are only looked at: there a click asks where a number comes from.
    const TensorView others = (*ui.snapshot().other->kept.measured)[patching::change];
    clickCell("Other view");
    CHECK(ui.workspace().interventions.empty());
    CHECK(others(row, column) > 1);
    CHECK_THAT(ui.texts(),
               ContainsSubstring("How computed") && ContainsSubstring(formatted(others(row, column))));
  }
}

namespace {

UiDriver::Options openedStories(const char* picture) {
  UiDriver::Options options;
  options.width = 1280, options.height = 720;
  options.workspace.view = "influence", options.workspace.settings.pictures["influence"] = picture;
  options.workspace.text += " What was too tired? The";
  options.loader = storiesModel;
  return options;
}

}  // namespace

TEST_CASE("without each part an answer's lead over another one is told, which a click with Ctrl chooses") {
  UiDriver ui(openedStories("leave out"));
  const auto mapped = [&] { return (*ui.snapshot().kept.measured)[causal::logit].copy(); };
  const std::vector<float> own = mapped();
  const std::string second = otherAnswer(ui);
  ui.clickWith(ImGuiMod_Ctrl, second);
  CHECK(mapped() != own);
  ui.inEveryLook([&](const std::string& look) {
    CHECK_THAT(ui.texts(), ContainsSubstring("” − “"));
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("left_out_against_" + look);
  });
  ui.clickWith(ImGuiMod_Ctrl, second);
  CHECK(mapped() == own);
}

TEST_CASE(
    "what integrated gradients are of, and from where, is chosen in the picture, and follows what is typed") {
  UiDriver ui(openedStories("integrated"));
  const auto total = [&](int place) { return (*ui.snapshot().kept.measured)[integrated::total](place); };
  const float logit = total(integrated::atInput);
  CHECK(std::abs(total(integrated::error)) < 1e-3f);
  ui.hover("total error");
  CHECK(ui.app().hover().cell == TensorRef{integrated::total, {integrated::error}});
  ui.hover("word 1");
  CHECK_THAT(ui.app().hover().text, ContainsSubstring("adds to the logit z of"));
  CHECK_THAT(ui.texts(), ContainsSubstring("∫"));  // the equation, beside the picture
  // Another token's logit is subtracted, and no longer.
  const std::string second = otherAnswer(ui);
  ui.clickWith(ImGuiMod_Ctrl, second);
  CHECK(total(integrated::atInput) < logit);
  CHECK_THAT(ui.texts(), ContainsSubstring("” − “"));
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("integrated_against");
  ui.clickWith(ImGuiMod_Ctrl, second);
  CHECK(std::abs(total(integrated::atInput) - logit) < 1e-3f);
  // The baseline.
  const float base = total(integrated::atBaseline);
  ui.click("Mean");
  CHECK(ui.workspace().settings.chosen(baselineChoice) == meanBaseline);
  CHECK(total(integrated::atBaseline) != base);
  ui.clickWith(ImGuiMod_Ctrl, "word 1");
  CHECK(ui.workspace().settings.chosen(baselineChoice) ==
        std::to_string(ui.snapshot().pass->trace->tokens()[1]));
  CHECK((*ui.snapshot().kept.measured)[integrated::tokens](1) == 0);  // it is there already
  ui.click("4096");
  CHECK(ui.workspace().settings.chosen(gradientsChoice) == "4096");
  const int tokens = ui.snapshot().pass->trace->tokenCount();
  ui.press(ImGuiKey_Slash);
  ui.type("/");
  ui.frames();
  ui.type(" dog");
  ui.settle();
  REQUIRE(ui.snapshot().kept.measured);
  CHECK((*ui.snapshot().kept.measured)[integrated::tokens].extent[0] > tokens);
}

TEST_CASE("attributions of two texts stand side by side") {
  UiDriver::Options options = openedStories("integrated");
  setTabs(options.workspace,
          {TabText("The animal didn't cross the street because it was too tired. What was too tired? The"),
           TabText("The animal didn't cross the street because it was too wide. What was too wide? The")},
          0);
  options.width = 1920, options.height = 1080;
  UiDriver ui(options);
  ui.press(ImGuiKey_C);
  REQUIRE(ui.snapshot().other);
  REQUIRE(ui.snapshot().kept.measured);
  REQUIRE(ui.snapshot().other->kept.measured);
  CHECK((*ui.snapshot().other->kept.measured)[integrated::tokens].copy() !=
        (*ui.snapshot().kept.measured)[integrated::tokens].copy());
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("integrated_compared");
}

TEST_CASE("the smallest changes are taken by a click, and given back by undo") {
  UiDriver::Options options = openedStories("smallest change");
  options.workspace.settings.choose(changesTried, "few");
  UiDriver ui(options);
  const std::string text = ui.workspace().text;
  const int position = ui.snapshot().pass->predicted.position,
            answer = likeliestEntry(*ui.snapshot().pass->trace, position);
  REQUIRE(ui.snapshot().kept.measured->contains(changes::replacements));
  REQUIRE(ui.snapshot().kept.measured->contains(changes::headSets));
  const TensorView rows = (*ui.snapshot().kept.measured)[changes::replacements];
  int spelled = 0;
  while (spelled < rows.extent[0] && rows(spelled, changes::isSpelled) == 0) ++spelled;
  REQUIRE(spelled < 6);
  const int promised = static_cast<int>(rows(spelled, changes::newAnswer));
  ui.hover("replacement " + std::to_string(spelled));
  CHECK_THAT(ui.app().hover().text, ContainsSubstring("a click takes it"));
  ui.click("replacement " + std::to_string(spelled));
  CHECK(ui.workspace().text != text);
  CHECK(likeliestEntry(*ui.snapshot().pass->trace, position) == promised);
  CHECK(promised != answer);
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK(ui.workspace().text == text);
  const int without = static_cast<int>((*ui.snapshot().kept.measured)[changes::headAnswer](0)),
            members = (*ui.snapshot().kept.measured)[changes::headSets].extent[1];
  ui.click("head set 0");
  CHECK(static_cast<int>(ui.workspace().interventions.size()) == members);
  CHECK(likeliestEntry(*ui.snapshot().pass->trace, position) == without);
  CHECK(ui.layoutFaults() == "");
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK(ui.workspace().interventions.empty());
  CHECK(likeliestEntry(*ui.snapshot().pass->trace, position) == answer);
}

TEST_CASE(
    "what makes a head look elsewhere is asked from its cell, taken by a click, and given back by undo") {
  UiDriver::Options options = openedStories("smallest change");
  options.workspace.settings.choose(changesTried, "few");
  options.workspace.selection.layer = 2, options.workspace.selection.head = 0;
  options.workspace.selection.query = 8, options.workspace.selection.key = 1;
  UiDriver ui(options);
  const std::string text = ui.workspace().text;
  ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
  ui.type("flip where the head");
  ui.press(ImGuiKey_Enter);
  CHECK(ui.workspace().settings.chosen(flipsAsked) == flipsOfHead);
  const auto looksAt = [&] { return answerOf(*ui.snapshot().pass->trace, AnswerAsked{8, -1, HeadId{2, 0}}); };
  const int key = looksAt();
  REQUIRE(ui.snapshot().kept.measured->contains(changes::lookedAt));
  const TensorView rows = (*ui.snapshot().kept.measured)[changes::replacements];
  int spelled = 0;
  while (spelled < rows.extent[0] && rows(spelled, changes::isSpelled) == 0) ++spelled;
  REQUIRE(spelled < 6);
  const int promised = static_cast<int>(rows(spelled, changes::newAnswer));
  ui.inEveryLook([&](const std::string& look) {
    ui.screenshot("flip_head_" + look);
    CHECK(ui.layoutFaults() == "");
  });
  ui.hover("replacement " + std::to_string(spelled));
  CHECK_THAT(ui.app().hover().text, ContainsSubstring(" at " + std::to_string(promised) + " from "));
  ui.click("replacement " + std::to_string(spelled));
  CHECK(ui.workspace().text != text);
  CHECK(looksAt() == promised);
  CHECK(promised != key);
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK(ui.workspace().text == text);
  // Towards one key alone: those that the list has, and no other.
  const int other = runnerUp(rowAsked(*ui.snapshot().pass->trace, {8, -1, HeadId{2, 0}}), key);
  ui.click("key " + std::to_string(other));
  CHECK(ui.workspace().settings.chosen(wantedKey) == std::to_string(other));
  if (ui.snapshot().kept.measured->contains(changes::replacements)) {
    const TensorView towards = (*ui.snapshot().kept.measured)[changes::replacements];
    for (int i = 0; i < towards.extent[0]; ++i)
      CHECK(towards(i, changes::newAnswer) == static_cast<float>(other));
  }
  ui.click("key " + std::to_string(key));
  CHECK(ui.workspace().settings.chosen(wantedKey).empty());
}

TEST_CASE("what gets around a window lights up in the matrix, and gradients come back") {
  for (const auto& [width, dark] : {std::pair{1280, true}, std::pair{1920, false}}) {
    UiDriver::Options options = openedInfluence();
    options.width = width, options.height = width * 9 / 16;
    options.workspace.look.dark = dark, options.workspace.look.followsSystem = false;
    options.workspace.view = "influence", options.workspace.settings.pictures["influence"] = "matrix";
    options.workspace.changes = {{"mask", "window"}};
    UiDriver ui(options);
    ui.click("Mask leaks");
    ui.settle();
    CHECK(ui.snapshot().pass->measurements->contains("lens.leaks"));
    ui.hover("influences", 0.05f, 0.95f);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("leaks_" + std::to_string(width) + (dark ? "_dark" : "_light"));
    ui.click("Grad × input");
    ui.settle();
    CHECK(ui.workspace().settings.influence.byInput);
    CHECK_FALSE(ui.snapshot().pass->measurements->contains("lens.leaks"));
    ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
    ui.type("leak detector");
    ui.frames(2);
    ui.press(ImGuiKey_Enter);
    ui.settle();
    CHECK(ui.workspace().settings.pictures.at("influence") == "matrix");
  }
}
