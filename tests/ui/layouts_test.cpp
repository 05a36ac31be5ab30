// Every layout and every control of the views of residual stream, next token and positions, in the real
// interface.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "app/document/model_commands.h"
#include "app/engine/model_library.h"
#include "app/scene/format.h"
#include "tests/small_model.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

UiDriver::Options openedView(const char* view, int width = 1280, int height = 720, bool dark = true) {
  UiDriver::Options options;
  options.width = width, options.height = height;
  options.workspace.view = view;
  options.workspace.look.dark = dark;
  options.loader = [](const std::string& name, const ProgressCallback&) -> Result<LoadedModel> {
    return makeSmallModel(name, 4, 4, 128);
  };
  return options;
}

const ViewSettings& viewSettings(const UiDriver& ui) { return ui.workspace().settings; }

struct Controls {
  const char* view;
  std::vector<const char*> clicks;  // one after the other; each is looked at
  bool ofDifferences = true;        // whether a difference has them too
};
const std::vector<Controls>& everyControl() {
  static const std::vector<Controls> all{
      {"residual",
       {"Cosine", "LayerNorm scale", "Contributions", "Norm", "Logit (DLA)", "Final state", "Norms, cosine"}},
      {"next_token", {"Stage/Surprisal", "Logit lens", "Distribution"}},
      {"positions",
       {"Curves", "Sinusoidal", "Phasors", "This model", "Similarities", "Dot product", "Cosine",
        "Stage/Increments", "8", "32", "Position scores", "Encodings"}},
      {"influence",
       {"Stage/Saliency matrix", "Grad × input", "By distance", "Stage/Saliency map", "Gradient norm"}},
      {"influence", {"By distance", "Logarithmic", "Linear"}, false},
  };
  return all;
}

// Above two pictures side by side, choices are folded where room is short.
void choose(UiDriver& ui, const char* control) {
  const auto isFolded = [](const ItemRecord& item) {
    return item.window == "Stage" && item.label.find("##group ") != std::string::npos;
  };
  std::vector<ItemRecord> folded = ui.items();
  std::erase_if(folded, std::not_fn(isFolded));
  for (auto group = folded.begin(); !ui.exists(control) && group != folded.end(); ++group) {
    if (ui.exists("Back##choices")) ui.click("Back##choices");
    ui.click(*group);
  }
  ui.click(control);
}

void lookAtEverything(const std::function<UiDriver::Options(const char*)>& options, const std::string& suffix,
                      bool difference = false) {
  for (const Controls& controls : everyControl()) {
    if (difference && !controls.ofDifferences) continue;
    UiDriver ui(options(controls.view));
    for (const char* control : controls.clicks) {
      choose(ui, control);
      const std::string label = std::string(control).substr(std::string(control).find('/') + 1);
      ui.inEveryLook([&](const std::string& look) {
        ui.hover("Stage view", 0.01f, 0.97f);
        const std::string name = std::string(controls.view) + "_" + label + suffix + "_" + look;
        ui.screenshot("layout_" + name);
        INFO(name);
        CHECK(ui.layoutFaults().substr(0, 400) == "");
      });
    }
  }
}

}  // namespace

TEST_CASE(
    "every layout of residual stream, next token, positions and influence, in two sizes and both themes") {
  lookAtEverything([](const char* view) { return openedView(view); }, "");
}

TEST_CASE("every layout as the difference of two texts") {
  lookAtEverything(
      [](const char* view) {
        UiDriver::Options options = openedView(view);
        options.workspace.text = "The animal was too tired.";
        options.workspace.aside = {"The street and the cat was too wide."};
        options.workspace.comparison = {OtherText{1}, ComparisonMode::Difference};
        return options;
      },
      "_difference", true);
}

TEST_CASE("the cosine of states: a click on a row chooses the token of the matrix") {
  UiDriver ui(openedView("residual"));
  ui.click("Cosine");
  CHECK(viewSettings(ui).pictures.at("residual") == "cosine");
  ui.click("cosines with the final state", 0.5f, 0.3f);
  const int token = ui.workspace().selection.query;
  CHECK(token == static_cast<int>(0.3f * static_cast<float>(ui.snapshot().pass->trace->tokenCount())));
  ui.hover("cosines of a token", 0.05f, 0.95f);
  CHECK(ui.app().hover().cell.tensor == "lens.residual_cosine");
  CHECK(ui.app().hover().cell.index == std::array<int, maxRank>{token, 8, 0, 0});
}

TEST_CASE("a logit is taken apart: the model's answer, or the one that is clicked") {
  UiDriver ui(openedView("residual", 1920, 1080));
  ui.click("Contributions");
  ui.hover("contributions", 0.02f, 0.5f);
  CHECK_THAT(ui.app().hover().cell.tensor, ContainsSubstring("lens.centred_attribution."));
  CHECK_THAT(ui.app().hover().text, ContainsSubstring("the token's embedding"));
  ui.click("Final state");
  ui.hover("contributions", 0.02f, 0.5f);
  CHECK(ui.app().hover().cell.tensor == "lens.contribution");
  ui.click("Logit (DLA)");
  CHECK(viewSettings(ui).residual.entry == -1);
  const int answer = ui.snapshot().pass->attributedEntry;
  const TensorView logits = (*ui.snapshot().pass->trace)["logits"];
  const int last = ui.snapshot().pass->trace->tokenCount() - 1;
  int second = answer == 0 ? 1 : 0;
  for (int v = 0; v < logits.extent[1]; ++v) {
    CHECK(logits(last, v) <= logits(last, answer));
    if (v != answer && logits(last, v) > logits(last, second)) second = v;
  }
  ui.click("logit of " + ui.snapshot().model->entryLabel(second));
  CHECK(viewSettings(ui).residual.entry == second);
  CHECK(ui.snapshot().pass->attributedEntry == second);
  ui.hover("contributions", 0.5f, 0.5f);
  CHECK(ui.app().hover().cell.tensor == "lens.logit_attribution." + std::to_string(second));
  ui.click("logit of " + ui.snapshot().model->entryLabel(answer));
  CHECK(viewSettings(ui).residual.entry == -1);
  ui.click("Norms, cosine");
  ui.click("LayerNorm scale");
  ui.hover("norm scales", 0.99f, 0.5f);
  CHECK(ui.app().hover().cell.tensor == "lens.norm_scale");
  CHECK(ui.app().hover().cell.index[0] == 8);
}

TEST_CASE("along the text: what was expected, with surprise in nats and bits") {
  UiDriver ui(openedView("next_token", 1920, 1080));
  CHECK_FALSE(ui.snapshot().pass->measurements->contains("lens.surprise"));  // nobody looks
  ui.click("Stage/Surprisal");
  REQUIRE(ui.snapshot().pass->measurements->contains("lens.surprise"));
  const int count = ui.snapshot().pass->trace->tokenCount();
  ui.hover("surprise", 0.5f, 0.3f);
  CHECK_THAT(ui.app().hover().text,
             ContainsSubstring("nats = ") && ContainsSubstring("bits") && ContainsSubstring("(token "));
  ui.hover("surprise", 0.5f, 0.99f);
  CHECK_THAT(ui.app().hover().text, ContainsSubstring("no token follows"));
  ui.click("expected", 0.1f, 0.3f);
  CHECK(ui.app().hover().cell.tensor == "lens.top_probability");
  CHECK(ui.workspace().selection.query == static_cast<int>(0.3f * static_cast<float>(count)));
  ui.wheel("expected", 3);
  CHECK(viewSettings(ui).nextToken.window.count < count);
  CHECK(viewSettings(ui).nextToken.window.count > 0);
  ui.drag("expected", 0, -120);
  ui.screenshot("layout_next_token_text_zoomed");
  CHECK(ui.layoutFaults() == "");
  ui.doubleClick("expected", 0.5f, 0.5f);
  CHECK(viewSettings(ui).nextToken.window.count == 0);
}

namespace {
// A text that is longer than its field is cut off there; in presentation there is the stage alone.
void checkPresented(UiDriver& ui) {
  ui.press(ImGuiKey_F5);
  CHECK(ui.layoutFaults() == "");
  ui.press(ImGuiKey_F5);
}
}  // namespace

TEST_CASE("the lens grid: a click selects the position, the wheel zooms") {
  UiDriver::Options options = openedView("next_token");
  options.workspace.text.clear();
  for (int i = 0; i < 40; ++i) options.workspace.text += "The animal didn't cross the street. ";
  UiDriver ui(options);
  ui.click("Logit lens");
  REQUIRE(ui.snapshot().pass->measurements->contains("lens.grid_probability"));
  ui.click("lens grid", 0.25f, 0.9f);
  CHECK(ui.workspace().selection.query == 32);
  CHECK(ui.app().hover().cell.index[0] == 8);
  CHECK_THAT(ui.app().hover().text, ContainsSubstring("if the model stopped after block 3's MLP"));
  ui.screenshot("layout_next_token_lens_full_context");
  checkPresented(ui);
  ui.wheel("lens grid", 6);
  CHECK(viewSettings(ui).nextToken.window.count < 64);
  ui.screenshot("layout_next_token_lens_zoomed");
  checkPresented(ui);
  ui.click("Stage/Surprisal");
  ui.doubleClick("expected", 0.5f, 0.5f);
  ui.screenshot("layout_next_token_text_full_context");
  checkPresented(ui);
}

TEST_CASE("several pairs of dimensions are chosen in the strip") {
  UiDriver ui(openedView("positions"));
  ui.click("Curves");
  CHECK(ui.exists("pair 4"));
  ui.click("pairs", (2 * 6 + 0.5f) / 32, 0.5f);
  CHECK(viewSettings(ui).positions.pairs == std::vector{0, 2, 4, 6, 8});
  ui.click("pairs", (2 * 4 + 0.5f) / 32, 0.5f);
  CHECK(viewSettings(ui).positions.pairs == std::vector{0, 2, 6, 8});
  ui.hover("pair 6", 0.5f, 0.5f);
  CHECK(ui.app().hover().cell.tensor == "positions.model");
  CHECK_THAT(ui.app().hover().text, ContainsSubstring("dimension 13: "));
  ui.click("Sinusoidal");
  CHECK(viewSettings(ui).positions.table == PositionTable::Sinusoidal);
  ui.click("Phasors");
  ui.hover("phasors 2", 0.3f, 0.5f);
  CHECK(ui.app().hover().cell.tensor == "positions.sinusoidal");
  CHECK_THAT(ui.app().hover().text, ContainsSubstring("°"));
  ui.click("phasors 2", 0.505f, 0.5f);
  CHECK(ui.workspace().selection.query == 64);
}

TEST_CASE("positions some places further, and what they contribute to a head's scores") {
  UiDriver ui(openedView("positions", 1920, 1080));
  ui.click("Stage/Similarities");
  ui.click("Stage/Increments");
  ui.click("16");
  CHECK(viewSettings(ui).positions.distance == 16);
  ui.hover("model positions", 0.5f, 0.5f);
  CHECK(ui.app().hover().cell.tensor == "positions.model_difference.16");
  ui.hover("difference lengths", 0.5f, 0.5f);
  CHECK(ui.app().hover().cell.tensor == "positions.model_difference_norm.16");
  ui.click("Position scores");
  ui.click("heads", 0.9f, 0.6f);
  CHECK(ui.workspace().selection.layer == 2);
  CHECK(ui.workspace().selection.head == 3);
  ui.hover("position scores", 0.3f, 0.6f);
  CHECK(ui.app().hover().cell.tensor == "lens.position_scores.L2H3");
  ui.click("other scores", 0.3f, 0.6f);
  CHECK(ui.workspace().selection.key ==
        static_cast<int>(0.3f * static_cast<float>(ui.snapshot().pass->trace->tokenCount())));
}

TEST_CASE("with two texts the next token's title and the digits of every point have room on a small screen") {
  static const ModelLibrary library(std::filesystem::path(SOURCE_FOLDER) / "app");
  for (const bool dark : {true, false})
    for (const auto& [view, picture] :
         {std::pair{"next_token", "distribution"}, std::pair{"cost", "one by one"}}) {
      UiDriver::Options options;
      options.loader = [](const std::string& name, const ProgressCallback& watch) {
        return library.load(name, watch);
      };
      commands::setModel("translate").apply(options.workspace);
      options.workspace.source = "Anna says that he has opened the window.";
      options.workspace.text = "Anna sagt, dass er das Fenster";
      options.workspace.view = view, options.workspace.settings.pictures[view] = picture;
      options.workspace.look.dark = dark;
      UiDriver ui(options);
      const std::string texts = ui.texts();
      INFO(picture);
      ui.screenshot(std::string("roomy_") + view + (dark ? "_dark" : "_light"));
      CHECK(ui.layoutFaults() == "");
      if (view != std::string("cost")) {
        CHECK_THAT(texts, ContainsSubstring("\nNext token after ·Fenster\n"));
        continue;
      }
      // Every point of every block has its number, down to the last one.
      const std::string digits = formatted((*ui.snapshot().kept.measured)["steps.largest"](0));
      CHECK_THAT(texts, ContainsSubstring(digits));
      ui.wheel("Stage view", -40);
      CHECK_THAT(ui.texts(), ContainsSubstring("cross_attn.hook_pattern"));
    }
}
