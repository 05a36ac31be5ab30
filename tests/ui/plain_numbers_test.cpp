// Numbers and names as people read them, in pictures of the models that ship.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "app/views/next_token/next_token_scene.h"
#include "tests/app/views/plain_metrics.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

UiDriver::Options shippedModel(const char* model, const char* text) {
  UiDriver::Options options;
  options.loader = [](const std::string& name, const ProgressCallback&) {
    return ModelLibrary(std::filesystem::path(SOURCE_FOLDER) / "app").load(name);
  };
  options.workspace.model = model, options.workspace.text = text;
  return options;
}

}  // namespace

TEST_CASE("bars of what comes next are shares of 100 %") {
  UiDriver ui;
  const PlainMetrics metrics;
  const Theme theme = darkTheme();
  const SceneInput input{ui.workspace(), ui.snapshot(), {240, 120}, theme, metrics, {}};
  int bars = 0;
  for (const Shape& shape : nextTokenListScene(input, 5).shapes)
    if (const Bar* bar = std::get_if<Bar>(&shape)) {
      CHECK(bar->range == Range{0, 1});
      ++bars;
    }
  CHECK(bars == 5);
}

TEST_CASE("a score of the worked example is written with all of its decimals, and √K as a number once") {
  UiDriver::Options options = shippedModel("worked", "We wash our cats");
  options.workspace.view = "step", options.workspace.step = "blocks.0.attn.hook_attn_scores";
  UiDriver ui(options);
  CHECK_THAT(ui.texts(), ContainsSubstring("1.625") && ContainsSubstring("/ √K (8)"));
  ui.screenshot("worked_scores");
  CHECK(ui.layoutFaults() == "");
}

TEST_CASE("the step of the mask adds −∞, and names what it adds that to by what that is computed from") {
  UiDriver::Options options = shippedModel("stories", "The cat sat.");
  options.workspace.view = "step", options.workspace.step = "blocks.0.attn.hook_attn_scores";
  UiDriver ui(options);
  CHECK_THAT(ui.texts(), ContainsSubstring("−∞") && ContainsSubstring("\nq · kᵀ / √K\n"));
  ui.screenshot("step_of_the_mask");
  CHECK(ui.layoutFaults() == "");
}

TEST_CASE("of a masked cell it is said that its key cannot be seen") {
  UiDriver ui;
  ui.rightClick("attention", 0.99f, 0.01f);
  CHECK_THAT(ui.texts(), ContainsSubstring("MASKED: THIS KEY CANNOT BE SEEN"));
  ui.screenshot("why_masked");
  CHECK(ui.layoutFaults() == "");
}

TEST_CASE("the token that ends a text has one name everywhere") {
  UiDriver::Options options = shippedModel("translate", "");
  options.workspace.source = "The dog sleeps.";
  options.workspace.selection.site = AttentionSite::Cross;
  options.workspace.decoding.depth = 24;
  UiDriver ui(options);
  const std::string said = ui.texts();
  CHECK(said.find("\nend\n") == std::string::npos);
  CHECK(said.find("<start>") == std::string::npos);
  CHECK_THAT(said, ContainsSubstring(ui.snapshot().pass->tokens.front().label.substr(0, 5)));
  ui.screenshot("translate_signs");
  CHECK(ui.layoutFaults() == "");
}
