#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "app/document/lookup_settings.h"
#include "app/document/model_commands.h"
#include "app/engine/model_library.h"
#include "app/views/views.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

UiDriver::Options atStep(const std::string& step) {
  UiDriver::Options options;
  options.workspace.view = "step", options.workspace.step = step;
  options.workspace.selection.layer = 1, options.workspace.selection.head = 1;
  return options;
}

Result<LoadedModel> shippedModel(const std::string& model, const ProgressCallback&) {
  return ModelLibrary(std::filesystem::path(SOURCE_FOLDER) / "app").load(model);
}

}  // namespace

TEST_CASE("every step of the model that ships, as its operands and result") {
  for (const int width : {1280, 1920}) {
    UiDriver::Options options = atStep("");
    options.width = width, options.height = width * 9 / 16;
    options.workspace.look.dark = width == 1280;
    options.workspace.text += " What was too tired? The";
    options.workspace.selection.layer = 2, options.workspace.selection.head = 3;
    options.loader = storiesModel;
    UiDriver ui(options);
    for (const Step& step : stepsOf(*ui.snapshot().model->transformer)) {
      if (step.layer != 2 && step.layer != -1) continue;
      const int place = placeOf(nameOf(step), stepsOf(*ui.snapshot().model->transformer));
      while (ui.step() != place) ui.press(ui.step() < place ? ImGuiKey_RightArrow : ImGuiKey_LeftArrow);
      ui.hover("Stage view", 0.01f, 0.8f);
      INFO(nameOf(step) << ", " << width);
      CHECK(ui.layoutFaults() == "");
      ui.screenshot("step_" + std::to_string(width) + "_" + nameOf(step));
    }
  }
}

TEST_CASE("masked the other way, weights are zeroed, summed and divided, each as a step") {
  UiDriver::Options options = atStep("blocks.1.attn.hook_unmasked_pattern");
  options.workspace.changes = {{"mask_time", "after_softmax"}};
  UiDriver ui(options);
  CHECK(ui.texts().find("Block 1 · Softmax") != std::string::npos);
  CHECK(ui.exists("operand exp(s − max s)"));
  ui.press(ImGuiKey_RightArrow);
  CHECK(ui.workspace().step == "blocks.1.attn.zeroed");
  ui.hover("step tensor", 0.9f, 0.1f);
  CHECK(ui.app().hover().cell.tensor == "lens.zeroed.L1H1");
  CHECK(ui.exists("operand m"));
  ui.screenshot("step_zeroed");
  ui.hover("Stage view", 0.01f, 0.99f);  // else the arrow goes to the next number
  ui.press(ImGuiKey_RightArrow);
  CHECK(ui.texts().find("Block 1 · Renormalize") != std::string::npos);
  ui.hover("operand Σ", 0.5f, 0.5f);
  const TensorRef sum = ui.app().hover().cell;
  CHECK(sum.tensor == "lens.left.L1H1");
  const TensorView zeroed = (*ui.snapshot().pass->measurements)["lens.zeroed.L1H1"],
                   pattern = (*ui.snapshot().pass->trace)["blocks.1.attn.hook_pattern"];
  const int t = sum.index[0];
  const float left = *valueOf(sourcesOf(ui.snapshot()), sum);
  CHECK(left < 1);
  for (int s = 0; s < zeroed.extent[1]; ++s) CHECK(std::abs(zeroed(t, s) / left - pattern(1, t, s)) < 1e-6f);
  ui.hover("Stage view", 0.01f, 0.99f);
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("step_renormalized");
}

TEST_CASE("a number of a step is chosen by click and arrows, and asked about") {
  UiDriver ui(atStep("blocks.1.attn.hook_q"));
  ui.click("step tensor", 0.51f, 0.01f);
  CHECK(ui.workspace().selection.query == 0);
  const int dimension = ui.workspace().selection.dimension;
  CHECK(dimension > 0);
  CHECK_FALSE(ui.exists("Why/Close##why"));
  ui.press(ImGuiKey_DownArrow);
  ui.press(ImGuiKey_RightArrow);
  CHECK(ui.workspace().selection.query == 1);
  CHECK(ui.workspace().selection.dimension == dimension + 1);
  ui.click("operand n", 0.5f, 0.5f);
  REQUIRE(ui.exists("Why/Close##why"));
  CHECK(ui.app().hover().cell.tensor == "blocks.1.ln1.hook_normalized");
  ui.press(ImGuiKey_Escape);
  ui.hover("operand W_Q", 0.5f, 0.5f);
  CHECK(ui.app().hover().cell.tensor == "h.1.attn.c_attn.weight");
  CHECK(ui.layoutFaults() == "");
}

TEST_CASE("tokens read their rows of the embedding, wherever these stand") {
  for (const int width : {1280, 1920}) {
    UiDriver::Options options = atStep("hook_embed");
    options.width = width, options.height = width * 9 / 16;
    options.workspace.look.dark = width == 1280;
    commands::setModel("letters").apply(options.workspace);
    options.workspace.view = "step", options.workspace.step = "hook_embed", options.workspace.text = "bdca>";
    options.loader = shippedModel;
    UiDriver ui(options);
    const TensorView e = (*ui.snapshot().pass->trace)["hook_embed"];
    const int rows = 7;
    for (const auto& [token, entry] : {std::pair{0, 1}, std::pair{3, 0}, std::pair{4, 4}}) {
      ui.hover("operand E", 0.5f, (static_cast<float>(entry) + 0.5f) / rows);
      const TensorRef cell = ui.app().hover().cell;
      CHECK(cell.tensor == "wte.weight");
      CHECK(cell.index[0] == entry);
      CHECK(*valueOf(sourcesOf(ui.snapshot()), cell) == e(token, cell.index[1]));
    }
    CHECK(ui.texts().find("4 >") != std::string::npos);
    ui.hover("Stage view", 0.01f, 0.99f);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("step_embedding_" + std::to_string(width));
  }
}

TEST_CASE("the numbers in between that a pass does not keep open as all others do") {
  UiDriver ui(atStep("blocks.1.attn.products"));
  ui.hover("step tensor", 0.3f, 0.9f);
  CHECK(ui.app().hover().cell.tensor == "lens.products.L1H1");
  ui.press(ImGuiKey_W);
  REQUIRE(ui.exists("Why/Close##why"));
  const auto items = ui.items();
  CHECK(std::ranges::any_of(items, [](const ItemRecord& each) {
    return each.label.find("blocks.1.attn.hook_k##term") != std::string::npos;
  }));
  ui.screenshot("why_products");
  ui.press(ImGuiKey_Escape);
}

TEST_CASE("a step is played number by number or token by token, at a speed one sets, and stops at the end") {
  UiDriver ui(atStep("blocks.1.attn.hook_pattern"));
  const int tokens = ui.snapshot().pass->trace->tokenCount();
  ui.click("Stage/number##Speed");
  ui.type("60");
  ui.press(ImGuiKey_Enter);
  ui.click("step tensor", 0.02f, 0.02f);
  REQUIRE(ui.workspace().selection.query == 0);
  ui.click("Stage/Play##step");
  const auto place = [&] { return ui.workspace().selection.query * tokens + ui.workspace().selection.key; };
  for (int last = place(), i = 0; i < 50'000 && place() < tokens + 2; ++i) {
    ui.frames(1);
    CHECK(place() - last <= 1);
    last = place();
  }
  CHECK(place() >= tokens + 2);
  ui.click("Stage/Play##step");
  const int paused = place();
  ui.frames(30);
  CHECK(place() == paused);
  ui.click("Stage/By token##step");
  ui.click("Stage/Play##step");
  ui.await([&] { return ui.workspace().selection.query == tokens - 1; });
  CHECK(ui.workspace().selection.query == tokens - 1);
  CHECK(ui.workspace().selection.key == paused % tokens);
  ui.frames(30);
  ui.screenshot("step_played");
  ui.click("Stage/number##Speed");
  ui.type("0.5");  // so slow that it is far from the end again for many seconds
  ui.press(ImGuiKey_Enter);
  ui.click("Stage/Play##step");
  ui.frames(2);
  CHECK(ui.workspace().selection.query < tokens - 1);
  CHECK(ui.workspace().selection.key == paused % tokens);
}

TEST_CASE("one token walks through a block, and every step of it opens") {
  for (const int width : {1280, 1920}) {
    UiDriver::Options options = atStep("");
    options.width = width, options.height = width * 9 / 16;
    options.workspace.look.dark = width == 1920;
    options.workspace.settings.pictures["step"] = "walk";
    options.workspace.text += " What was too tired? The";
    options.workspace.selection.layer = 2, options.workspace.selection.head = 3;
    options.loader = storiesModel;
    UiDriver ui(options);
    ui.hover("Stage view", 0.01f, 0.99f);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("walk_" + std::to_string(width));
    ui.hover("strip of blocks.2.attn.hook_pattern", 0.08f, 0.5f);
    const Target target = ui.app().hover();
    CHECK(target.cell.tensor == "blocks.2.attn.hook_pattern");
    CHECK(target.query == ui.snapshot().pass->trace->tokenCount() - 1);
    CHECK(target.key == 1);
    ui.click("Token before");
    CHECK(ui.workspace().selection.query == ui.snapshot().pass->trace->tokenCount() - 2);
    ui.click("Token after");
    ui.click("walk to blocks.2.attn.hook_attn_scores");
    CHECK(ui.workspace().step == "blocks.2.attn.hook_attn_scores");
    CHECK(ui.exists("operand M"));
  }
}

TEST_CASE(
    "one token's walk counts the lecture's steps, in the order that the model has, and says whose "
    "attention") {
  UiDriver::Options options = atStep("");
  options.workspace.settings.pictures["step"] = "walk";
  options.workspace.changes = {{"norm_placement", "post"}};
  UiDriver ui(options);
  const char* const steps[] = {"attn.hook_q",  "attn.hook_attn_scores", "attn.hook_pattern",
                               "attn.hook_z",  "hook_resid_mid",        "ln1.hook_normalized",
                               "hook_mlp_out", "hook_resid_post",       "ln2.hook_normalized"};
  float above = 0;
  for (const char* step : steps) {
    const ItemRecord item = ui.find(std::string("walk to blocks.1.") + step);
    CHECK(item.min.y > above);
    above = item.min.y;
  }
  CHECK(ui.texts().find("in 9 steps") != std::string::npos);
  CHECK(ui.texts().find("Scores · L1H1") != std::string::npos);
}

TEST_CASE("walk and lookup across name the attention that they show") {
  for (const int width : {1280, 1920}) {
    UiDriver::Options options = atStep("");
    options.width = width, options.height = width * 9 / 16;
    options.workspace.look.dark = width == 1920;
    commands::setModel("translate").apply(options.workspace);
    options.workspace.view = "step", options.workspace.settings.pictures["step"] = "walk";
    options.workspace.source = "The dog sleeps.", options.workspace.text = "Der Hund";
    options.workspace.selection.layer = 1, options.workspace.selection.site = AttentionSite::Cross;
    options.loader = shippedModel;
    UiDriver ui(options);
    CHECK(ui.texts().find("dec.L1H0 and cross.L1H0") != std::string::npos);
    CHECK(ui.texts().find("Softmax · cross.L1H0") != std::string::npos);
    ui.hover("strip of decoder.1.cross_attn.hook_pattern", 0.1f, 0.5f);
    CHECK(ui.app().hover().cell.tensor == "decoder.1.cross_attn.hook_pattern");
    CHECK(ui.app().hover().keys == Stream::Source);
    ui.hover("Stage view", 0.01f, 0.99f);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("walk_across_" + std::to_string(width));
    ui.click("Soft lookup");
    CHECK(ui.texts().find("” in cross.L1H0") != std::string::npos);
    ui.hover("keys", 0.1f, 0.1f);
    CHECK(ui.app().hover().cell.tensor == "decoder.1.cross_attn.hook_k");
    ui.hover("Stage view", 0.01f, 0.99f);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("lookup_across_" + std::to_string(width));
  }
}

TEST_CASE(
    "an exact lookup finds the key that is the query, or nothing, and equal keys make q · k the nearest") {
  UiDriver::Options options = atStep("");
  options.workspace.settings.pictures["step"] = "lookup";
  const auto read = [](UiDriver& ui, const char* tensor) {
    return (*ui.snapshot().pass->measurements)[std::string("lens.") + tensor + ".L1H1"];
  };
  {
    UiDriver ui(options);
    ui.click("Exact");
    CHECK(ui.texts().find("no key equals the query: no match") != std::string::npos);
    const TensorView nothing = read(ui, "lookup_value");
    for (int k = 0; k < nothing.extent[1]; ++k) CHECK(nothing(nothing.extent[0] - 1, k) == 0);
  }
  options.workspace.changes = {{"similarity", "plain"}, {"qk_norm", "yes"}};
  UiDriver ui(options);
  ui.click("Exact");
  const int query = ui.snapshot().pass->trace->tokenCount() - 1;
  CHECK(ui.texts().find("a key is the query") != std::string::npos);
  const TensorView exact = read(ui, "lookup_exact"), found = read(ui, "lookup_value"),
                   handed = (*ui.snapshot().pass->trace)["blocks.1.attn.hook_v"];
  CHECK(exact(query, query) == 1);
  float sum = 0;
  for (int s = 0; s <= query; ++s) sum += exact(query, s);
  if (sum == 1)
    for (int k = 0; k < found.extent[1]; ++k) CHECK(found(query, k) == handed(query, 1, k));
  ui.hover("Stage view", 0.01f, 0.99f);
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("lookup_exact");
  ui.click("Argmax");
  CHECK(ui.workspace().settings.chosen(lookupTemperatureChoice) == "0");
  CHECK(ui.texts().find("keys equally long: the largest q · k is the nearest key") != std::string::npos);
}

TEST_CASE("a head is looked up in as a table, exactly, softly or hard") {
  for (const int width : {1280, 1920}) {
    UiDriver::Options options = atStep("");
    options.width = width, options.height = width * 9 / 16;
    options.workspace.look.dark = width == 1280;
    options.workspace.settings.pictures["step"] = "lookup";
    options.workspace.text += " What was too tired? The";
    options.workspace.selection.layer = 2, options.workspace.selection.head = 3;
    options.loader = storiesModel;
    UiDriver ui(options);
    const int query = ui.snapshot().pass->trace->tokenCount() - 1;
    const auto read = [&](const char* tensor, int column) {
      return (*ui.snapshot().pass->measurements)[std::string("lens.lookup_") + tensor + ".L2H3"](query,
                                                                                                 column);
    };
    const TensorView z = (*ui.snapshot().pass->trace)["blocks.2.attn.hook_z"],
                     v = (*ui.snapshot().pass->trace)["blocks.2.attn.hook_v"];
    for (int k = 0; k < z.extent[2]; ++k) CHECK(std::abs(read("value", k) - z(query, 3, k)) < 1e-5f);
    ui.hover("Stage view", 0.01f, 0.99f);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("lookup_" + std::to_string(width));
    ui.click("Stage/number##Temperature");
    ui.type("0");
    ui.press(ImGuiKey_Enter);
    for (int k = 0; k < z.extent[2]; ++k) CHECK(read("value", k) == v(1, 3, k));
    CHECK(read("share", 1) == 1);
    CHECK(read("share", 5) == 0);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("lookup_hard_" + std::to_string(width));
    ui.click("Token before");
    CHECK(ui.workspace().selection.query == query - 1);
  }
}

TEST_CASE("the models that are small enough to be read, in every view, and as steps with their digits") {
  for (const std::string name : {"worked", "letters"})
    for (const int width : {1280, 1920}) {
      UiDriver::Options options;
      options.width = width, options.height = width * 9 / 16;
      options.workspace.look.dark = width == 1920;
      commands::setModel(name).apply(options.workspace);
      options.loader = shippedModel;
      UiDriver ui(options);
      REQUIRE(ui.snapshot().pass->hasTrace());
      const std::string look = name + "_" + std::to_string(width);
      for (const View& view : views()) {
        ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
        ui.type(std::string(view.title) + " view");
        ui.press(ImGuiKey_Enter);
        CHECK(ui.workspace().view == view.id);
        INFO(ui.workspace().view << ", " << look);
        CHECK(ui.layoutFaults() == "");
        ui.screenshot("readable_" + look + "_" + ui.workspace().view);
      }
      ui.press(ImGuiKey_7);
      REQUIRE(ui.workspace().view == "step");
      const int last = static_cast<int>(stepsOf(*ui.snapshot().model->transformer).size());
      for (int step = 0; step < last; ++step) {
        INFO(ui.workspace().step << ", " << look);
        CHECK(ui.layoutFaults() == "");
        ui.screenshot("readable_" + look + "_step_" + std::to_string(step));
        ui.press(ImGuiKey_RightArrow);
      }
    }
}

TEST_CASE("without a value matrix a head hands on means of the rows that it reads, Y = A X") {
  UiDriver::Options options = atStep("blocks.1.attn.hook_z");
  options.workspace.changes = {{"readout", "rows"}};
  UiDriver ui(options);
  const Trace& trace = *ui.snapshot().pass->trace;
  const TensorView pattern = trace["blocks.1.attn.hook_pattern"], x = trace["blocks.1.ln1.hook_normalized"],
                   z = trace["blocks.1.attn.hook_z"];
  const int t = trace.tokenCount() - 1;
  for (int d = 0; d < x.extent[1]; ++d) {
    float mean = 0;
    for (int s = 0; s <= t; ++s) mean += pattern(1, t, s) * x(s, d);
    CHECK(std::abs(z(t, 1, d) - mean) < 1e-5f);
  }
  CHECK(ui.exists("operand A"));
  CHECK(ui.exists("operand v"));
  ui.hover("Stage view", 0.01f, 0.99f);
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("step_rows");
}

TEST_CASE("a model is built otherwise, and its steps say what is compared and read, seen as a whole") {
  struct Built {
    const char *model, *field, *choice, *step, *says;
  };
  for (const Built& built : {
           Built{"stories", "similarity", "plain", "blocks.0.attn.products", "1.23 · 1.23 = 1.512"},
           Built{"stories", "similarity", "shared", "blocks.0.attn.hook_q", "q = n · U + b"},
           Built{"stories", "readout", "one_matrix", "blocks.0.attn.hook_v", "v = n · (W_V W_O) + b"},
           Built{"stories", "position_embedding_type", "concatenated", "hook_embed", "D 112"},
           Built{"translate", "cross_memory", "same_layer", "decoder.0.cross_attn.hook_k",
                 "k = M · W_K + b_K"},
       }) {
    UiDriver::Options options;
    commands::setModel(built.model).apply(options.workspace);
    options.workspace.changes = {{built.field, built.choice}};
    options.loader = shippedModel;
    options.workspace.view = "step", options.workspace.step = built.step;
    UiDriver ui(options);
    INFO(built.choice);
    CHECK(ui.snapshot().standing.error == "");
    CHECK_THAT(ui.texts(), ContainsSubstring(", changed") && ContainsSubstring(built.says));
    CHECK(ui.layoutFaults() == "");
    ui.screenshot(std::string("built_") + built.choice);
  }
}

TEST_CASE("the logits open on what comes next, until another entry is chosen") {
  UiDriver::Options options = atStep("logits");
  options.loader = storiesModel;
  options.workspace.text = "The animal didn't cross the street because it was too";
  UiDriver ui(options);
  const ShownModel& model = *ui.snapshot().model;
  const TensorView logits = (*ui.snapshot().pass->trace)["logits"];
  const auto likeliest = [&](int t) {
    const float* const row = &logits(t, 0);
    return static_cast<int>(std::max_element(row, row + logits.extent[1]) - row);
  };
  const auto isOpen = [&](int t, int entry) {
    return ui.texts().find("logits[" + std::to_string(t) + " " +
                           ui.snapshot().pass->tokens[static_cast<std::size_t>(t)].label + ", " +
                           std::to_string(entry) + " " + model.entryLabel(entry) + "]") != std::string::npos;
  };
  const int last = logits.extent[0] - 1;
  REQUIRE(likeliest(last) != 0);
  INFO(ui.texts());
  CHECK(isOpen(last, likeliest(last)));
  ui.click("step tensor", 0.5f, 0.25f);
  const int chosen = std::stoi(std::string(ui.workspace().settings.chosen("step.entry")));
  CHECK(isOpen(ui.workspace().selection.query, chosen));
}

TEST_CASE("every matrix of an equation has its scale of colours below it") {
  UiDriver ui(atStep("blocks.1.attn.hook_q"));
  const std::string texts = ui.texts();
  int scales = 0;
  for (std::size_t at = texts.find("\n±"); at != std::string::npos; at = texts.find("\n±", at + 1)) ++scales;
  CHECK(scales == 4);  // n, W_Q, b_Q and q
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("step_scales");
}
