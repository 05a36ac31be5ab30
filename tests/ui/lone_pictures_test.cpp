// Pictures that are looked at apart, in the real interface: in two sizes and both themes, and
// what their controls do.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>
#include <filesystem>
#include <tuple>

#include "app/document/edge_settings.h"
#include "app/document/effect_settings.h"
#include "app/document/neuron_settings.h"
#include "app/document/workspace_json.h"
#include "app/engine/model_library.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

struct Shown {
  const char *view, *picture, *name;
  ModelChanges changes = {};
};
const std::vector<Shown>& everyPicture() {
  static const std::vector<Shown> all{
      {"attention", "circuits", "circuits"},
      {"attention", "softmax", "softmax"},
      {"cost", "sizes", "sizes"},
      {"influence", "gradients", "gradients"},
      {"influence", "many texts", "effects"},
      {"influence", "edges", "edges"},
      {"influence", "edges", "edges_here"},
      {"influence", "integrated", "integrated"},
      {"influence", "smallest change", "smallest_change"},
      {"positions", "shuffle", "shuffle"},
      {"positions", "shuffle", "shuffle_set", {{"position_embedding_type", "none"}, {"mask", "none"}}},
      {"residual", "geometry", "geometry"},
      {"residual", "gradient", "depth"},
      {"residual", "gradient", "depth_replacing", {{"residual", "no"}}},
      {"residual", "neurons", "neurons"},
      {"residual", "neurons", "neurons_gated", {{"activation_function", "swiglu"}}},
      {"step", "state", "state", {{"attention_kernel", "linear"}}},
      {"step", "state", "state_way"},
      {"training", "schedule", "schedule"},
      {"tokens", "unembedding", "unembedding"},
      {"tokens", "unembedding", "unembedding_tied", {{"tie_word_embeddings", "yes"}}},
  };
  return all;
}

UiDriver::Options optionsFor(const Shown& shown, int width = 1280, int height = 720, bool dark = true) {
  UiDriver::Options options;
  options.width = width, options.height = height;
  options.loader = storiesModel;
  options.workspace.view = shown.view, options.workspace.settings.pictures[shown.view] = shown.picture;
  options.workspace.changes = shown.changes;
  options.workspace.selection.layer = 2, options.workspace.selection.head = 0;
  options.workspace.look.dark = dark;
  return options;
}

}  // namespace

TEST_CASE("every picture that is looked at apart, in two sizes and both themes") {
  for (const Shown& shown : everyPicture()) {
    UiDriver::Options options = optionsFor(shown);
    // What is measured over many texts takes the time of all of them: parts left out in each, and edges.
    if (shown.name == std::string_view("edges") || shown.name == std::string_view("effects")) {
      options.workspace.settings.choose(neuronCorpus, corpusOfTabs);
      options.workspace.settings.choose(edgeTexts, firstEdgeTexts);
      options.workspace.aside = {"So the dog sang.\nLily went to the farm.", "Once there was a girl."};
    }
    UiDriver ui(options);
    ui.inEveryLook([&](const std::string& look) {
      ui.hover("Stage view", 0.01f, 0.97f);
      const std::string name = std::string(shown.name) + "_" + look;
      ui.screenshot("lone_" + name);
      INFO(name);
      CHECK(ui.layoutFaults().substr(0, 400) == "");
    });
  }
}

TEST_CASE("the surface of softmax is turned by dragging, steeper when colder, and goes over another key") {
  UiDriver ui(optionsFor({"attention", "softmax", ""}));
  const auto& settings = ui.workspace().settings;
  ui.drag("softmax surface", 60, 0);
  CHECK_FALSE(settings.chosen("attention.softmax_angle").empty());
  ui.doubleClick("softmax surface", 0.5f, 0.5f);
  CHECK(settings.chosen("attention.softmax_angle").empty());
  const float share = (*ui.snapshot().pass->measurements)["lens.softmax_share"](0);
  ui.click("less##Temperature");
  CHECK(settings.chosen("attention.temperature") == "0.9");
  CHECK((*ui.snapshot().pass->measurements)["lens.softmax_share"](0) > share);
  ui.hover("softmax surface", 0.5f, 0.6f);
  CHECK_THAT(ui.app().hover().text, ContainsSubstring("x₁ = "));
  CHECK(ui.app().hover().cell.tensor == "lens.softmax_surface");
}

TEST_CASE("a dot of the geometry is a token, and a place of the stream moves it") {
  UiDriver ui(optionsFor({"residual", "geometry", ""}, 1920, 1080));
  const auto coordinate = [&] { return (*ui.snapshot().pass->measurements)["lens.geometry"](5, 0); };
  const float atTheEnd = coordinate();
  ui.click("place 1");
  CHECK(ui.workspace().settings.chosen("residual.place") == "1");
  CHECK(coordinate() != atTheEnd);
  ui.click("dot 5");
  CHECK(ui.workspace().selection.query == 5);
  CHECK_THAT(ui.app().hover().text, ContainsSubstring("z = (x − x̄) · v"));
  ui.wheel("dot 5", 4);
  CHECK(ui.exists("Reset view"));
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("geometry_closer");
  ui.doubleClick("geometry plane", 0.02f, 0.02f);
  CHECK_FALSE(ui.exists("Reset view"));
  ui.click("Queries and keys");
  CHECK(ui.exists("query 5"));
  CHECK(ui.exists("key 5"));
}

TEST_CASE("the geometry in three dimensions is turned by hand and by keys, and kept with the session") {
  UiDriver ui(optionsFor({"residual", "geometry", ""}));
  const auto chosen = [&](const char* choice) { return std::string(ui.workspace().settings.chosen(choice)); };
  for (const char* dimensions : {"two", "three"}) {
    ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
    ui.type(std::string("geometry in ") + dimensions + " dimensions");
    ui.press(ImGuiKey_Enter);
    CHECK(chosen("residual.dimensions") == (dimensions == std::string("two") ? "" : "3"));
  }
  ui.click("2D");
  CHECK(chosen("residual.dimensions").empty());
  ui.click("3D");
  CHECK(chosen("residual.dimensions") == "3");
  ui.drag("geometry space", 80, 0);
  const std::string turned = chosen("residual.geometry_angle");
  CHECK_FALSE(turned.empty());
  ui.hover("geometry space", 0.02f, 0.02f);
  const int query = ui.workspace().selection.query;
  ui.press(ImGuiKey_RightArrow);
  CHECK(chosen("residual.geometry_angle") != turned);
  CHECK(ui.workspace().selection.query == query);
  const auto kept = workspaceFromJson(toJson(ui.workspace()));
  REQUIRE(kept);
  CHECK(kept->settings.chosen("residual.geometry_angle") == chosen("residual.geometry_angle"));
  CHECK(kept->settings.chosen("residual.dimensions") == "3");
  ui.hover("dot 5");
  CHECK_THAT(ui.app().hover().text, ContainsSubstring("z = (x − x̄) · v"));
  CHECK(ui.app().hover().token == 5);
  ui.click("dot 5");
  CHECK(ui.workspace().selection.query == 5);
  ui.doubleClick("geometry space", 0.02f, 0.02f);
  CHECK(chosen("residual.geometry_angle").empty());
  CHECK_FALSE(ui.exists("Reset view"));
  for (int turn = 0; turn < 36; ++turn) {
    ui.hover("geometry space", 0.02f, 0.02f);
    ui.press(ImGuiKey_RightArrow);
    INFO(chosen("residual.geometry_angle"));
    CHECK(ui.layoutFaults().substr(0, 300) == "");
  }
}

TEST_CASE(
    "the geometry in three dimensions: few and many tokens, queries and keys, two texts, in every look") {
  struct Cloud {
    const char* name;
    bool many, heads, both;
    const char *place = "", *path = "";
  };
  for (const auto& [name, many, heads, both, place, path] :
       {Cloud{"tokens", false, false, false}, Cloud{"many", true, false, false},
        Cloud{"heads", false, true, false}, Cloud{"many_heads", true, true, false},
        Cloud{"both", false, false, true}, Cloud{"positions", true, false, false, "positions"},
        Cloud{"path", false, false, false, "", "all places"}}) {
    UiDriver::Options options = optionsFor({"residual", "geometry", ""});
    options.workspace.settings.choose("residual.dimensions", "3");
    if (heads) options.workspace.settings.choose("residual.vectors", "queries and keys");
    options.workspace.settings.choose("residual.place", place);
    options.workspace.settings.choose("residual.path", path);
    if (many) {
      options.workspace.text.clear();
      for (int i = 0; i < 15; ++i) options.workspace.text += "The cat and the dog ran to the farm. ";
    }
    if (both) {
      options.workspace.text = "The animal didn't cross the street because it was too tired.";
      options.workspace.aside = {"The animal didn't cross the street because it was too wide."};
      options.workspace.comparison = {OtherText{1}, ComparisonMode::Difference};
    }
    UiDriver ui(options);
    ui.inEveryLook([&](const std::string& look) {
      ui.hover("Stage view", 0.01f, 0.97f);
      ui.screenshot("space_" + std::string(name) + "_" + look);
      INFO(name << " " << look);
      CHECK(ui.layoutFaults().substr(0, 400) == "");
    });
  }
}

TEST_CASE("two texts in one geometry, and the neurons that differ most between them") {
  for (const auto& [width, height, dark] : usualLooks)
    for (const char* picture : {"geometry", "neurons"}) {
      UiDriver::Options options = optionsFor({"residual", picture, ""}, width, height, dark);
      options.workspace.text =
          "The animal didn't cross the street because it was too tired. What was too tired? The";
      options.workspace.aside = {
          "The animal didn't cross the street because it was too wide. What was too wide? The"};
      options.workspace.comparison = {OtherText{1}, ComparisonMode::Difference};
      UiDriver ui(options);
      const std::string name =
          std::string(picture) + "_" + std::to_string(width) + (dark ? "_dark" : "_light");
      ui.screenshot("both_" + name);
      INFO(name);
      CHECK(ui.layoutFaults().substr(0, 400) == "");
      if (picture != std::string("geometry")) continue;
      ui.click("dot 15");
      CHECK(ui.workspace().selection.query == 15);
      int others = 0;  // that no other dot covers
      for (int t = 12; t < 19; ++t) {
        ui.hover("other dot " + std::to_string(t), 0.5f, 0.5f);
        others += ui.app().hover().text.find("in the other text: z = (") != std::string::npos;
      }
      CHECK(others > 0);
      ui.click("Queries and keys");
      CHECK(ui.exists("other key 5"));
      CHECK(ui.layoutFaults().substr(0, 400) == "");
    }
}

TEST_CASE("two texts' states and gradients are subtracted, token by token") {
  for (const auto& [width, height, dark] : usualLooks)
    for (const Shown& shown :
         {Shown{"step", "state", "state", {{"attention_kernel", "linear"}}},
          Shown{"influence", "gradients", "gradients"}, Shown{"influence", "integrated", "integrated"},
          Shown{"residual", "gradient", "depth"}}) {
      UiDriver::Options options = optionsFor(shown, width, height, dark);
      options.workspace.text =
          "The animal didn't cross the street because it was too tired. What was too tired? The";
      options.workspace.aside = {
          "The animal didn't cross the street because it was wide. What was too wide? The"};
      options.workspace.comparison = {OtherText{1}, ComparisonMode::Difference};
      UiDriver ui(options);
      const std::string name =
          std::string(shown.name) + "_" + std::to_string(width) + (dark ? "_dark" : "_light");
      ui.screenshot("both_" + name);
      INFO(name);
      CHECK(ui.layoutFaults().substr(0, 400) == "");
      if (shown.picture == std::string("integrated")) {
        CHECK_THAT(ui.texts(), ContainsSubstring(" minus “") && ContainsSubstring("Σ tokens"));
        continue;
      }
      const auto& sides = *ui.snapshot().difference->sides;
      const auto& [a, b] = std::tie(*sides.a->pass->measurements, *sides.b->pass->measurements);
      const TensorSet& both = *ui.snapshot().difference->pass->measurements;
      const bool isState = shown.view == std::string("step");
      const bool isDepth = shown.view == std::string("residual");
      const char* const tensor = isState   ? "lens.linear_size.L2H0"
                                 : isDepth ? "lens.gradient_norm"
                                           : "lens.gradient_norm_v";
      for (std::size_t i = 0; i < sides.alignments.text.columns.size(); ++i) {
        const auto column = sides.alignments.text.columns[i];
        const auto at = [&](const TensorSet& set, int t) {
          return isState ? set[tensor](t) : isDepth ? set[tensor](0, 3, t) : set[tensor](0, t);
        };
        const float difference = at(both, static_cast<int>(i));
        if (column.a < 0 || column.b < 0)
          CHECK(std::isnan(difference));
        else
          CHECK(difference == at(a, column.a) - at(b, column.b));
      }
    }
}

TEST_CASE("the gradient by depth is of all tokens or one, of the model or of fresh weights") {
  UiDriver ui(optionsFor({"residual", "gradient", ""}));
  const float trained = ui.snapshot().pass->measurements->operator[]("lens.gradient_loss")(0);
  ui.hover("gradient by depth", 0.01f, 0.5f);
  CHECK(ui.app().hover().cell.tensor == "lens.gradient_mean");
  CHECK_THAT(ui.app().hover().text,
             ContainsSubstring("after the embedding") && ContainsSubstring("unchanged: ") &&
                 ContainsSubstring("times that at the end") && ContainsSubstring("neither: "));
  ui.hover("through the skip, × 1, 2 attn", 0.1f, 0.5f);
  CHECK(ui.app().hover().cell.tensor == "lens.gradient_skip_mean");
  ui.click("Random init");
  CHECK(ui.snapshot().pass->measurements->operator[]("lens.gradient_loss")(0) > trained + 1);
  ui.hover("Stage view", 0.01f, 0.97f);
  ui.screenshot("lone_depth_fresh_1280");
  CHECK(ui.layoutFaults() == "");
  ui.click("One token");
  CHECK(ui.texts().find("No loss depends on this token") != std::string::npos);
  ui.click("gradient of each token", 0.5f, 0.3f);
  CHECK(ui.workspace().selection.query >= 0);
  CHECK(ui.texts().find("No loss depends on this token") == std::string::npos);
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("lone_depth_one_1280");
  ui.click("Trained");
  ui.click("Mean");
  CHECK(ui.snapshot().pass->measurements->operator[]("lens.gradient_loss")(0) == trained);
}

TEST_CASE("T, M and D of the cost are any number, typed or stepped") {
  UiDriver::Options options = optionsFor({"cost", "sizes", ""});
  options.loader = [](const std::string&, const ProgressCallback& watch) {
    return ModelLibrary(SOURCE_FOLDER "/build").load("translate", watch);
  };
  UiDriver ui(options);
  const auto part = [&](int i) { return ui.snapshot().model->measurements->operator[]("cost.parts")(i); };
  const auto type = [&](const char* field, const char* number) {
    ui.click("Stage/number##" + std::string(field));
    ui.type(number);
    ui.press(ImGuiKey_Enter);
  };
  const float L = static_cast<float>(ui.snapshot().model->config->layers);
  type("T", "100"), type("M", "37"), type("D", "64");
  CHECK(part(0) == L * 4 * 100 * 64 * 64);
  CHECK(part(4) == L * 2 * 100 * 37 * 64);
  CHECK_THAT(ui.texts(), ContainsSubstring("T · M = 3700"));
  ui.settle();
  ui.hover("cross pairs, M × N", 0.5f, 0.5f);
  CHECK(ui.app().hover().cell.tensor == "cost.parts");
  ui.click("Stage/more##T");
  CHECK(ui.workspace().settings.chosen("cost.text") == "128");
  CHECK(ui.layoutFaults() == "");
  ui.hover("Stage view", 0.01f, 0.97f);
  ui.screenshot("lone_sizes_typed_1280");
  ui.click("Mixing cost");
  type("T up to", "100");
  CHECK(ui.workspace().settings.chosen("cost.tokens") == "100");
  CHECK(ui.layoutFaults() == "");
}

TEST_CASE("the gradient through softmax is that of any temperature") {
  UiDriver ui(optionsFor({"influence", "gradients", ""}));
  const auto keys = [&] {
    return ui.snapshot().pass->measurements->operator[]("lens.gradient_norm_k")[0].copy();
  };
  const std::vector<float> usual = keys();
  ui.click("Stage/less##Temperature");
  CHECK(keys() != usual);
  CHECK_THAT(ui.texts(), ContainsSubstring("softmax at τ = 0.9"));
  ui.click("Stage/number##Temperature");
  ui.type("0");
  ui.press(ImGuiKey_Tab);
  for (const float norm : keys()) CHECK(norm == 0);
  CHECK_THAT(ui.texts(), ContainsSubstring("softmax, τ → 0"));
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("lone_gradients_cold_1280");
  ui.click("Stage/number##Temperature");
  ui.type("1");
  ui.press(ImGuiKey_Tab);
  CHECK(keys() == usual);
}

TEST_CASE("each number of a state leads to what made it, and a click goes to another token") {
  UiDriver ui(optionsFor({"step", "state", "", {{"attention_kernel", "linear"}}}, 1920, 1080));
  ui.click("state after 3");
  CHECK(ui.workspace().selection.query == 3);
  ui.hover("state S", 0.5f, 0.5f);
  CHECK(ui.app().hover().cell.tensor == "lens.linear_state.L2H0");
  CHECK(ui.app().hover().cell.index[0] == 3);
  ui.rightClick("state S", 0.5f, 0.5f);
  CHECK(ui.exists("Why/Close##why"));
}

TEST_CASE("the way to linear attention is one press, and undo leads back") {
  UiDriver ui(optionsFor({"step", "state", ""}));
  ui.click("Linear attention");
  CHECK(ui.snapshot().model->config->kernel == AttentionKernel::Linear);
  CHECK(ui.exists("state S"));
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK(ui.snapshot().model->config->kernel == AttentionKernel::Softmax);
  CHECK_FALSE(ui.exists("state S"));
}

TEST_CASE("what a part does over many texts: another number, another head, and a text where it matters") {
  UiDriver::Options options = optionsFor({"influence", "many texts", ""}, 1920, 1080);
  options.workspace.settings.choose(neuronCorpus, corpusOfTabs);
  options.workspace.aside = {TabText("The dog was too tired. The"), TabText("Anna says that he was old.")};
  UiDriver ui(options);
  CHECK_THAT(ui.texts(), ContainsSubstring("3 lines") && ContainsSubstring("Largest effects of L2H0"));
  ui.click("DLA");
  CHECK(ui.workspace().settings.chosen(effectNumber) == "direct");
  ui.click("Stage/Loss");
  CHECK(ui.workspace().settings.chosen(effectNumber) == "");
  ui.click("effects.loss_here", 0.25f, 0.1f);  // the second of six columns, block 0
  ui.settle();
  CHECK_THAT(ui.texts(), ContainsSubstring("Largest effects of L0H1"));
  ui.click("effects.loss", 0.95f, 0.1f);  // an MLP has no texts of its own here
  CHECK(ui.workspace().settings.pictures.at("influence") == "leave out");
  ui.click("Stage/Dataset stats");
  ui.settle();
  const int tabs = ui.workspace().tabCount();
  ui.click("matters 0", 0.02f, 0.5f);
  CHECK(ui.workspace().tabCount() == tabs + 1);
}

TEST_CASE("every measure of many texts, by family and name") {
  UiDriver::Options options = optionsFor({"influence", "many texts", ""});
  options.workspace.settings.choose(neuronCorpus, corpusOfTabs);
  options.workspace.aside = {TabText("The dog was too tired. The"), TabText("Anna says that he was old.")};
  UiDriver ui(options);
  for (const char* family : {"DLA", "Prediction", "Edits", "Patching"}) {
    ui.click(std::string("Stage/") + family);
    ui.settle();
    CHECK(ui.layoutFaults() == "");
    ui.screenshot(std::string("effects_") + family);
  }
  ui.click("Stage/Prediction");
  ui.settle();
  ui.click("Stage/KL");
  ui.settle();
  CHECK(ui.workspace().settings.chosen(effectNumber) == "divergence");
  CHECK(ui.layoutFaults() == "");
  ui.hover("effects.divergence", 0.1f, 0.9f);
  CHECK_THAT(ui.app().hover().text, ContainsSubstring("head L3H0, on average"));
}

TEST_CASE("many texts, edges and circuits of models of every kind, in the window") {
  struct Of {
    const char *model, *view, *picture, *measure, *shown;
  };
  constexpr Of all[] = {{"translate", "influence", "many texts", "answer", "effects.answer"},  // across, too
                        {"translate", "influence", "many texts", "patch-heads", "effects.patch-heads"},
                        {"translate", "influence", "edges", "", "edges.mean"},  // norms after the sums
                        {"fill", "influence", "edges", "", "edges.mean"},
                        {"linear", "attention", "circuits", "", "circuit.score"}};
  static const ModelLibrary library(std::filesystem::path(SOURCE_FOLDER) / "app");
  for (const auto& [width, height, dark] : {std::tuple(1280, 720, true), {1920, 1080, false}})
    for (const Of& of : all) {
      UiDriver::Options options = optionsFor({of.view, of.picture, ""}, width, height, dark);
      options.loader = [](const std::string& name, const ProgressCallback& watch) {
        return library.load(name, watch);
      };
      options.workspace.model = of.model;
      options.workspace.selection.layer = 1;
      options.workspace.settings.choose(neuronCorpus, corpusOfTabs);
      options.workspace.settings.choose(edgeTexts, firstEdgeTexts);
      options.workspace.settings.choose(effectNumber, of.measure);
      const std::string_view model = of.model;
      options.workspace.text = model == "fill"     ? "The dog was too <|mask|>."
                               : model == "linear" ? "abcd>dc"
                                                   : "Der Hund";
      if (model == "translate") options.workspace.source = "The dog was too tired.";
      UiDriver ui(options);
      ui.hover("Stage view", 0.01f, 0.97f);
      const std::string name =
          std::string(of.model) + "_" + (*of.measure ? of.measure : of.picture) + "_" + std::to_string(width);
      INFO(name);
      REQUIRE(ui.snapshot().kept.measured);
      CHECK(ui.snapshot().kept.measured->contains(of.shown));
      CHECK(ui.layoutFaults() == "");
      ui.screenshot("kinds_" + name);
    }
}
