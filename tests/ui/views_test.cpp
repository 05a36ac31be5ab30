#include "app/views/views.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "tests/small_model.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

Result<LoadedModel> fourByFour(const std::string& name, const ProgressCallback&) {
  return makeSmallModel(name, 4, 4, 128);
}

UiDriver::Options openedViews(const char* view, int width = 1280, int height = 720) {
  UiDriver::Options options;
  options.width = width, options.height = height;
  options.workspace.view = view;
  options.loader = fourByFour;
  return options;
}

}  // namespace

TEST_CASE("every view opens by its tab or its name, in two sizes and both themes") {
  for (const auto& [width, height, dark] : usualLooks) {
    UiDriver::Options options = openedViews("attention", width, height);
    options.workspace.look.dark = dark;
    UiDriver ui(options);
    for (const View& view : views()) {
      const std::string full = std::string("Top bar/") + view.title;
      const std::string tab =
          view.shortTitle && !ui.exists(full) ? std::string("Top bar/") + view.shortTitle : full;
      if (ui.exists(tab)) {
        ui.click(tab);
      } else {  // short of room, the last ones are found by name
        CHECK(width == 1280);
        ui.click("Top bar/▾");
        ui.type(view.title);
        ui.frames();
        ui.press(ImGuiKey_Enter);
        CHECK(ui.exists(tab));
      }
      CHECK(ui.workspace().view == view.id);
      ui.hover("Stage view", 0.01f, 0.97f);
      const std::string name =
          std::string(view.id) + "_" + std::to_string(width) + (dark ? "_dark" : "_light");
      ui.screenshot("view_" + name);
      INFO(name);
      CHECK(ui.layoutFaults().substr(0, 400) == "");
    }
  }
}

TEST_CASE("a click on a thumbnail shows that head large") {
  UiDriver ui(openedViews("attention"));
  ui.click("head 2.1");
  CHECK(ui.workspace().selection.layer == 2);
  CHECK(ui.workspace().selection.head == 1);
  ui.hover("attention", 0.3f, 0.7f);
  CHECK(ui.app().hover().cell.tensor == "blocks.2.attn.hook_pattern");
  CHECK(ui.app().hover().cell.index[0] == 1);
  ui.screenshot("attention_head");
}

TEST_CASE("pointing into the attention says both tokens, a click keeps them") {
  UiDriver ui(openedViews("attention", 1920, 1080));
  ui.hover("attention", 0.26f, 0.8f);
  const Target target = ui.app().hover();
  CHECK_THAT(target.text,
             ContainsSubstring(ui.snapshot().pass->tokens[static_cast<std::size_t>(target.query)].label) &&
                 ContainsSubstring("attends to"));
  ui.screenshot("attention_pointed");
  ui.click("attention", 0.26f, 0.8f);
  CHECK(ui.workspace().selection.query == target.query);
  CHECK(ui.workspace().selection.key == target.key);
  CHECK_FALSE(ui.app().history().canUndo());
}

TEST_CASE("scores, masked scores and pattern are one click apart") {
  UiDriver ui(openedViews("attention"));
  ui.click("Scores");
  CHECK(ui.workspace().settings.attention.stage == AttentionStage::Scores);
  ui.hover("attention", 0.9f, 0.1f);
  CHECK(ui.app().hover().cell.tensor == "lens.scores.L0H0");
  ui.screenshot("attention_scores");
  ui.click("Masked scores");
  CHECK(ui.workspace().settings.attention.stage == AttentionStage::Masked);
  ui.hover("attention", 0.9f, 0.1f);
  CHECK(ui.app().hover().cell.tensor == "blocks.0.attn.hook_attn_scores");
  ui.screenshot("attention_masked");
  ui.click("Pattern");
  CHECK(ui.workspace().settings.attention.stage == AttentionStage::Pattern);
}

TEST_CASE("attention works on one token and on a full context") {
  UiDriver::Options options = openedViews("attention");
  options.workspace.text = "The";
  {
    UiDriver ui(options);
    CHECK(ui.snapshot().pass->trace->tokenCount() == 1);
    ui.screenshot("attention_one_token");
  }
  options.workspace.text.clear();
  for (int i = 0; i < 40; ++i) options.workspace.text += "The animal didn't cross the street. ";
  UiDriver ui(options);
  CHECK(ui.snapshot().pass->trace->tokenCount() == 128);
  ui.hover("attention", 0.4f, 0.8f);
  ui.screenshot("attention_full_context");
  ui.click("Residual");
  CHECK(ui.workspace().view == "residual");
  ui.screenshot("residual_full_context");
}

TEST_CASE("twelve layers of twelve heads find their place") {
  for (const int width : {1280, 1920}) {
    UiDriver::Options options = openedViews("attention", width, width == 1280 ? 720 : 1080);
    options.loader = [](const std::string& name, const ProgressCallback&) -> Result<LoadedModel> {
      return makeSmallModel(name, 12, 12, 128);
    };
    UiDriver ui(options);
    ui.click("head 11.10");
    CHECK(ui.workspace().selection.layer == 11);
    CHECK(ui.workspace().selection.head == 10);
    ui.screenshot("attention_144_heads_" + std::to_string(width));
    ui.click("Residual");
    CHECK(ui.workspace().view == "residual");
    ui.screenshot("residual_12_layers_" + std::to_string(width));
  }
}

TEST_CASE("a click on a column chooses the dimension drawn as curves") {
  UiDriver ui(openedViews("positions"));
  ui.click("model positions", 0.405f, 0.5f);
  CHECK(ui.workspace().selection.dimension == static_cast<int>(0.405f * 32));
  ui.hover("sinusoidal positions", 0.7f, 0.3f);
  CHECK(ui.app().hover().cell.tensor == "positions.sinusoidal");
  CHECK(ui.app().hover().dimension == static_cast<int>(0.7f * 32));
  ui.screenshot("positions_dimension");
  ui.click("Similarities");
  CHECK(ui.workspace().settings.pictures.at("positions") == "similarity");
  ui.click("sinusoidal positions", 0.5f, 0.35f);
  CHECK(ui.workspace().selection.query == static_cast<int>(0.35f * 128));
  ui.hover("model positions", 0.1f, 0.3f);
  CHECK(ui.app().hover().cell.tensor == "positions.model_similarity");
  ui.screenshot("positions_similarity");
}

TEST_CASE("similarity of positions in a large window") {
  UiDriver ui(openedViews("positions", 1920, 1080));
  ui.click("Similarities");
  CHECK(ui.workspace().settings.pictures.at("positions") == "similarity");
  ui.screenshot("positions_similarity_1920");
}

TEST_CASE("a click on a row of the residual norms selects its token") {
  UiDriver ui(openedViews("residual"));
  const int count = ui.snapshot().pass->trace->tokenCount();
  ui.click("residual norms", 0.5f, 0.3f);
  const int token = static_cast<int>(0.3f * static_cast<float>(count));
  CHECK(ui.workspace().selection.query == token);
  CHECK(ui.app().hover().token == token);
  ui.hover("the MLP 1");
  CHECK(ui.app().hover().cell.tensor == "lens.mlp_norm");
  CHECK(ui.app().hover().cell.index[1] == token);
  ui.screenshot("residual_token");
  ui.click("Relative");
  ui.hover("the MLP 1");
  CHECK(ui.app().hover().cell.tensor == "lens.mlp_share");
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("residual_share");
}

TEST_CASE("what the mask hides does not look like a share of zero") {
  UiDriver ui(openedViews("attention"));
  const ItemRecord item = ui.find("attention");
  const auto pixels = ui.pixels();
  const auto at = [&](float x, float y) {
    const auto px = static_cast<std::size_t>(item.min.x + (item.max.x - item.min.x) * x);
    const auto py = static_cast<std::size_t>(item.min.y + (item.max.y - item.min.y) * y);
    const unsigned char* p = &pixels[(py * 1280 + px) * 4];
    return Rgba{p[0], p[1], p[2], 255};
  };
  const Rgba zero = colorAt(ColorMap::Sequential, 0, true);
  for (const Point p : {Point{0.97f, 0.03f}, Point{0.6f, 0.2f}, Point{0.8f, 0.5f}})
    CHECK(at(p.x, p.y).g > zero.g + 8);
  ui.click("Scores");
  CHECK(ui.snapshot().pass->measurements->contains("lens.scores.L0H0"));
}

TEST_CASE("a picture that has nothing to show of a model keeps the way to the others") {
  UiDriver::Options options;
  options.loader = [](const std::string& name, const ProgressCallback&) {
    return ModelLibrary(std::filesystem::path(SOURCE_FOLDER) / "app").load(name);
  };
  options.workspace.model = "fill", options.workspace.text = "The cat [MASK] on the mat.";
  for (const auto& [view, picture, other] :
       {std::tuple{"next_token", "shifted", "Logit lens"},
        std::tuple{"next_token", "strategies", "Logit lens"}, std::tuple{"cost", "cache", "Mixing cost"},
        std::tuple{"cost", "one by one", "Mixing cost"}}) {
    INFO(picture);
    options.workspace.view = view, options.workspace.settings.pictures[view] = picture;
    UiDriver ui(options);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot(std::string("nothing_to_show_") + picture);
    ui.click(std::string("Stage view/") + other);
    CHECK(ui.workspace().settings.pictures.at(view) != picture);
  }
}
