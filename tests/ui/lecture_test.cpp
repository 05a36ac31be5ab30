// Everything that the five lectures show is at most three actions away from the first start, by the words
// that they use for it: what is typed into the palette, pressed or clicked.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "app/figure/figure_formats.h"
#include "app/panels/palette_words.h"
#include "app/views/views.h"
#include "core/io/files.h"
#include "tests/core/io/temporary_folder.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

// "> words" finds something in the palette, "# label" clicks, "^ C" presses a key.
struct Topic {
  const char* number;                ///< of the lecture, and of its topic
  std::vector<std::string> actions;  ///< from the first start
  const char *view, *picture;        ///< what stands on the stage then
  const char* says;                  ///< and what is written there
  ModelChanges changes = {};         ///< of the model that is open
  bool hasNumbers = true;            ///< to be saved as a table
  bool isDialog = false;             ///< ends in one: there is no picture to present
  float share = 0.55f;               ///< of the screen that it fills at least in a presentation
};

const std::vector<Topic>& topics() {
  static const std::vector<Topic> all{
      // Transformers, as a stack of two stages: across the sequence, then along the features.
      {"000.1", {"> block 0 add"}, "step", "equation", "x' = x + a"},
      {"000.2",
       {"> without a value matrix", "> weighted values"},
       "step",
       "equation",
       "z_h = A · v",
       {{"readout", "rows"}}},
      {"000.3",
       {"> similarity x · x", "> inner product"},
       "step",
       "equation",
       "q · kᵀ",
       {{"similarity", "plain"}}},
      {"000.4", {"> mask none", "^ C"}, "attention", "matrix", "as loaded", {{"mask", "none"}}},
      {"000.5", {"> unrolled network"}, "cost", "unrolled", "path from “The” to “.”: 1 step"},
      {"000.6",
       {"> distance only", "> border yes", "> toeplitz"},
       "positions",
       "filter",
       "largest difference: 0",
       {{"attention_kernel", "distance"}, {"open_border", "yes"}}},
      {"000.7", {"> small multiples"}, "attention", "matrix", "heads →"},
      {"000.8", {"> read-out"}, "step", "equation", "a = z · W_O + b_O"},
      {"000.8, as printed", {"> conform", "# U_o U_vᵀ"}, "step", "slips", "K 32 ≠ D 128"},
      {"000.9", {"> mlp in"}, "step", "equation", "u = n' · W_in + b_in"},
      {"000.10", {"> o(t²k)"}, "cost", "mixing", "attention O(T²K)"},
      {"000.11", {"> skip against update", "# Relative"}, "residual", "norms", "‖x‖"},
      {"000.11, gradients", {"> vanishing gradient"}, "residual", "gradient", "through the skip"},
      {"000.12",
       {"> residual is taken from the normalized", "> residual stream"},
       "residual",
       "norms",
       "Added for “.”",
       {{"norm_placement", "residual"}}},
      {"000.13", {"> unordered set"}, "positions", "shuffle", "order information"},
      {"000.14", {"> autoregression"}, "next_token", "distribution", "entropy"},
      {"000.14, at once", {"> one token at a time"}, "cost", "one by one", "Cache check"},
      {"000.14, classes",
       {"> train two, classifier", "# Train a model/Start", "> head of its own says"},
       "next_token",
       "classes",
       "by the text up to each token"},
      {"000.15", {"> optimizer schedule", "# New run"}, "training", "curves", "Dropout", {}, false, true},
      {"000.16", {"> table growing"}, "cost", "cache", "multiply-adds instead of"},
      // The queryable softmax pool, and its counterparts in convolutional networks.
      {"001.1", {"> bottleneck state", "# + RNN"}, "cost", "unrolled", "steps in series"},
      {"001.2", {"> hash table"}, "step", "lookup", "softmax(s)"},
      {"001.3", {"> why softmax not argmax"}, "influence", "gradients", "exactly 0"},
      {"001.4",
       {"> mixing convolution", "> taps"},
       "step",
       "equation",
       "w_j = (n · W_j)[t − j]",
       {{"mixing", "convolution"}}},
      {"001.5", {"> concatenated heads"}, "step", "equation", "z = [z₁ … z_H]"},
      {"001.6",
       {"> optimizer schedule", "# New run"},
       "training",
       "curves",
       "Identical heads",
       {},
       false,
       true},
      {"001.7", {"> nine steps"}, "step", "walk", "in 9 steps"},
      {"001.8", {"> convnext"}, "step", "parallels", "ResNet", {}, false},
      {"001.9",
       {"> mask applied after softmax", "^ C"},
       "attention",
       "matrix",
       "as loaded",
       {{"mask_time", "after_softmax"}}},
      {"001.9, nothing left",
       {"> 0 / 0"},
       "attention",
       "matrix",
       "0 / 0, left at 0",
       {{"mask_time", "after_softmax"}}},
      {"001.10", {"> cross-attention"}, "attention", "matrix", "Cross-attention 0, head 0"},
      {"001.11", {"> across m × n"}, "cost", "sizes", "T × N"},
      {"001.12", {"> open model linear", "> running state"}, "step", "state", "State of L0H0 after “a”"},
      {"001.13",
       {"> train a model", "# Train a model/Start", "> generalisation"},
       "training",
       "data",
       "validation data"},
      // The first transformer.
      {"002.1", {"> encoder-decoder"}, "attention", "matrix", "Decoder"},
      {"002.2", {"> qkᵀ"}, "step", "equation", "q · kᵀ"},
      {"002.2, as printed", {"> slip"}, "step", "slips", "[S × K] · [T × S]: K 32 ≠ T 13"},
      {"002.3", {"> two-dimensional softmax"}, "attention", "softmax", "σ(x)₁ = exp x₁ / (exp x₁ + exp x₂)"},
      {"002.4", {"> multi-head"}, "step", "equation", "z = [z₁ … z_H]"},
      {"002.5", {"> causal −∞"}, "step", "equation", "s = mask(q · kᵀ / √K)"},
      {"002.6", {"> bidirectional"}, "attention", "matrix", "A = softmax(s)", {{"stack", "encoder_only"}}},
      {"002.7", {"> shift rotation", "# Sinusoidal"}, "positions", "shift", "p(t + Δ) = R(Δ) p(t)"},
      {"002.8", {"> encoder-decoder", "^ B", "> hypotheses pruned"}, "beam", "search", "greedy's path"},
      // One output, step by step.
      {"003.1", {"> builds"}, "step", "walk", "Weighted sum"},
      {"003.2", {"> copying"}, "attention", "matrix", "Block 1, head 3"},
      {"003.3", {"> residual stream"}, "residual", "norms", "‖x‖ of each token"},
      {"003.4", {"> concatenate heads"}, "step", "equation", "z = [z₁ … z_H]"},
      {"003.5", {"> average of values", "# Play"}, "step", "equation", "z = A · v"},
      {"003.6", {"> by hand", "> block 0 scores"}, "step", "equation", "/ √K (8)"},
      {"003.7",
       {"> norms stand after", "^ C"},
       "attention",
       "matrix",
       "as loaded",
       {{"norm_placement", "post"}}},
      {"003.8", {"> token embedding"}, "step", "equation", "e = E[token]"},
      {"003.9, training", {"> teacher forcing"}, "next_token", "shifted", "Teacher forcing"},
      {"003.9, tied", {"> embedding and through the unembedding"}, "tokens", "both ends", "through"},
      {"003.9", {"> lm head"}, "next_token", "distribution", "logit"},
      {"003.10", {"> schedule of 2017"}, "training", "schedule", "512 : 4000"},
      {"003.11", {"> gesundheits"}, "tokens", "cuts", "One text in several tokenizers", {}, false},
      // From recurrence to beam search.
      {"004.1", {"> wave", "# + RNN"}, "cost", "unrolled", "recurrence: 16 steps in series for 52 states"},
      {"004.2", {"> antecedent of it"}, "attention", "arcs", "arcs from"},
      {"004.2, too early", {"> it cannot know"}, "residual", "norms", "Added for"},
      {"004.3", {"> exact lookup"}, "step", "lookup", "Exact"},
      {"004.4", {"> block 0 queries"}, "step", "equation", "q = n · W_Q + b_Q"},
      {"004.5", {"> we wash our cats", "> block 0 softmax"}, "step", "equation", "0.48"},
      {"004.6",
       {"> barriers", "# more##Your guess", "# Check##lesson"},
       "next_token",
       "distribution",
       "order",
       {{"position_embedding_type", "none"}},
       true,
       false,
       0.45f},  // beside a lesson
      {"004.7",
       {"> positional encoding"},
       "positions",
       "encoding",
       "a row per position, a column per dimension"},
      {"004.8", {"> two heads"}, "attention", "two heads", "L0H0 − L0H1"},
      {"004.8, as printed", {"> misprint", "# without √K"}, "step", "slips", "the largest difference"},
      {"004.9", {"> loss landscape"}, "landscape", "surface", "Loss landscape"},
      {"004.9, both trained",
       {"> skip connections, li"},
       "attention",
       "matrix",
       "landscapes with residuals or not",
       {},
       true,
       true},
      {"004.10", {"> layernorm"}, "step", "equation", "n = γ ⊙ (x − mean(x)) / σ + β"},
      {"004.10, as printed", {"> misprint", "# √(σ + ε)"}, "step", "slips", "γ (x − μ) / √(σ + ε) + β"},
      {"004.11", {"> paint the mask"}, "attention", "matrix", "Drag over cells to mask them"},
      {"004.12", {"> cross-attention"}, "attention", "matrix", "Encoder"},
      {"004.13", {"> quadratic"}, "cost", "mixing", "running state"},
      {"004.14", {"> greedy loses"}, "beam", "search", "greedy's path"},
  };
  return all;
}

UiDriver::Options firstStart(const TemporaryFolder& folder) {
  static const ModelLibrary library(fs::path(SOURCE_FOLDER) / "app");
  UiDriver::Options options;
  options.models = library.builtIn();
  options.loader = [](const std::string& name, const ProgressCallback& watch) {
    return library.load(name, watch);
  };
  options.lessons = fs::path(SOURCE_FOLDER) / "assets" / "lessons";
  options.runs = folder.path();
  options.workspace.settings.landscape.side = 13;  // a quarter of the points
  // Who trains something has it in a moment.
  options.workspace.plan = {.task = "copy", .steps = 60};
  options.workspace.plan.changes = {{"n_layer", "1"}, {"n_embd", "32"}, {"n_inner", "32"}, {"n_head", "2"}};
  return options;
}

void act(UiDriver& ui, const std::string& action) {
  const std::string what = action.substr(2);
  if (action.starts_with("> ")) {
    ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
    ui.type(what);
    ui.press(ImGuiKey_Enter);
  } else if (action.starts_with("^ ")) {
    ui.press(static_cast<ImGuiKey>(ImGuiKey_A + (what[0] - 'A')));
  } else {
    ui.click(what);
  }
  // A run shows itself as soon as it is there; whoever asks for another picture does so then.
  if (what == "Train a model/Start") ui.await([&] { return ui.snapshot().training->run != nullptr; });
}

const Picture& shownPicture(const UiDriver& ui) {
  for (const View& view : views())
    if (ui.workspace().view == view.id) return view.picture(ui.workspace().settings);
  FAIL("no view is called " << ui.workspace().view);
  return views()[0].pictures[0];
}

int countOf(const std::string& text, std::string_view what) {
  int count = 0;
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += what.size()) ++count;
  return count;
}

// What stands there goes onto a slide and into a spreadsheet: a figure with something drawn in it, and a
// table with its header and at least a row of numbers; or the picture is named that has none.
void exportBoth(UiDriver& ui, const Topic& topic, const fs::path& folder) {
  static const FigureFonts fonts;
  const Figure figure = makeFigure(ui.workspace(), ui.snapshot(), *findFigureSize("slide"), fonts);
  const auto written = [&](const char* format) {
    const fs::path file = folder / (std::string("topic.") + format);
    const auto done = writeFigure(figure, *findFigureFormat(format), file, 1, false, fonts);
    return done ? *readTextFile(file) : done.error().message();
  };
  const std::string svg = written("svg"), csv = written("csv");
  CHECK(countOf(svg, "<text") > 2);
  if (!topic.hasNumbers) {
    CHECK_THAT(csv, ContainsSubstring("o numbers in “" + figure.picture().title));
    return;
  }
  CHECK(countOf(svg, "<rect") + countOf(svg, "<path") + countOf(svg, "<image") > 4);
  CHECK(countOf(csv, "\n") > 1);
  const auto asked = csv.rfind("# recipe: ");  // the question stands above the table
  const std::string table = asked == std::string::npos ? csv : csv.substr(csv.find('\n', asked) + 1);
  CHECK(table.find(',') < table.find('\n'));
}

void see(UiDriver& ui, const Topic& topic) {
  CHECK(ui.workspace().view == topic.view);
  CHECK(std::string(shownPicture(ui).id) == topic.picture);
  ui.await([&] { return ui.texts().find(topic.says) != std::string::npos; });
  CHECK_THAT(ui.texts(), ContainsSubstring(topic.says));
  CHECK(ui.workspace().changes == topic.changes);
  CHECK(ui.snapshot().standing.error == "");
  CHECK(ui.layoutFaults() == "");
}

// The same in a presentation: in letters for the back row, nothing cut, and large.
void present(UiDriver& ui, const Topic& topic, const std::string& look) {
  constexpr float smallestLetters = 17.9f;
  ui.press(ImGuiKey_F5);
  INFO("presented, " << look);
  CHECK(ui.layoutFaults() == "");
  CHECK(ui.textsBelow(smallestLetters) == "");
  const float other = ui.exists("Other view") ? ui.shareOfScreen("Other view") : 0;
  if (ui.exists("Stage view")) CHECK(ui.shareOfScreen("Stage view") + other >= topic.share);  // else covered
  ui.screenshot("lecture_" + std::string(topic.number) + "_F5_" + look);
  ui.press(ImGuiKey_Escape);
}

// What is on screen while the palette is asked for a title, in small letters: what was typed is not what is
// listed.
std::string listedFor(UiDriver& ui, std::string title) {
  for (char& c : title) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
  ui.type(title);
  const std::string texts = ui.texts();
  ui.press(ImGuiKey_Escape);
  return texts;
}

}  // namespace

TEST_CASE(
    "every topic of the lectures is three actions away at most, by its own words, on a small and a large "
    "screen") {
  const TemporaryFolder folder;
  for (const Topic& topic : topics()) {
    REQUIRE(topic.actions.size() <= 3);
    UiDriver ui(firstStart(folder));
    INFO(topic.number);
    for (const std::string& action : topic.actions) act(ui, action);
    see(ui, topic);
    ui.screenshot("lecture_" + std::string(topic.number) + "_1280");
    exportBoth(ui, topic, folder.path());
    ui.lookAs({1920, 1080, true});
    see(ui, topic);
    ui.screenshot("lecture_" + std::string(topic.number) + "_1920");
  }
}

TEST_CASE("every topic of the lectures fills a presentation, in letters that the back row reads") {
  const TemporaryFolder folder;
  for (const Topic& topic : topics()) {
    if (topic.isDialog) continue;
    UiDriver ui(firstStart(folder));
    INFO(topic.number);
    for (const std::string& action : topic.actions) act(ui, action);
    see(ui, topic);
    for (const UsualLook& look : usualLooks) ui.lookAs(look), present(ui, topic, look.name());
  }
}

TEST_CASE("what the palette knows other words for, it lists") {
  const TemporaryFolder folder;
  UiDriver ui(firstStart(folder));
  for (const TitleWords& other : titlesWithOtherWords()) {
    INFO(other.title);
    CHECK_THAT(listedFor(ui, std::string(other.title)), ContainsSubstring(std::string(other.title)));
  }
}
