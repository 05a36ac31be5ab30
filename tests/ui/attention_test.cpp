// Every control of the attention view, in the real interface.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "app/drawing/scene_input.h"
#include "app/engine/model_library.h"
#include "tests/small_model.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

UiDriver::Options attention(int layers = 4, int heads = 4, int width = 1280, int height = 720,
                            int context = 128) {
  UiDriver::Options options;
  options.width = width, options.height = height;
  options.workspace.view = "attention";
  options.workspace.selection.layer = layers > 2 ? 2 : 0;
  options.loader = [=](const std::string& name, const ProgressCallback&) -> Result<LoadedModel> {
    return makeSmallModel(name, layers, heads, context);
  };
  return options;
}

std::string manyWords(int sentences) {
  std::string text;
  const char* const parts[] = {"The animal didn't cross the street. ", "The cat sat on the warm mat. ",
                               "It was too tired because the street was wide. "};
  for (int i = 0; i < sentences; ++i) text += parts[i % 3];
  return text;
}

const AttentionSettings& attentionSettings(const UiDriver& ui) { return ui.workspace().settings.attention; }

}  // namespace

TEST_CASE("every layout of attention, in two sizes and both themes") {
  UiDriver::Options options = attention();
  options.workspace.text = "The animal didn't cross the street because it was too tired.";
  UiDriver ui(options);
  for (const char* layout : {"Matrix", "Text heatmap", "Arcs", "Two heads"}) {
    ui.click(layout);
    ui.inEveryLook([&](const std::string& look) {
      ui.hover("Stage view", 0.01f, 0.97f);
      INFO(layout << " " << look);
      CHECK(ui.layoutFaults().substr(0, 400) == "");
      ui.screenshot(std::string("attention_") + layout + "_" + look);
    });
  }
  CHECK(ui.workspace().settings.pictures.at("attention") == "two heads");
}

TEST_CASE("Ctrl and Shift gather heads, and what they have in common is drawn") {
  UiDriver ui(attention());
  ui.clickWith(ImGuiMod_Ctrl, "head 1.1");
  CHECK(attentionSettings(ui).heads == std::vector<HeadId>{{1, 1}, {2, 0}});
  CHECK(attentionSettings(ui).fold == HeadFold::Average);
  ui.hover("attention", 0.3f, 0.7f);
  CHECK(ui.app().hover().cell.tensor == "lens.pattern.average.L1H1+L2H0");
  ui.clickWith(ImGuiMod_Shift, "head 3.2");
  ui.click("Max");
  ui.hover("attention", 0.3f, 0.7f);
  CHECK(ui.app().hover().cell.tensor == "lens.pattern.maximum.L1H1+L2H0+L3H2");
  ui.screenshot("attention_maximum_of_three");
  ui.click("Value-weighted");
  ui.hover("attention", 0.3f, 0.7f);
  CHECK(ui.app().hover().cell.tensor == "lens.moved.maximum.L1H1+L2H0+L3H2");
  ui.clickWith(ImGuiMod_Ctrl, "head 3.2");
  CHECK(attentionSettings(ui).heads.size() == 2);
  ui.click("One");
  CHECK(attentionSettings(ui).fold == HeadFold::One);
  ui.click("head 0.3");
  CHECK(attentionSettings(ui).heads.empty());
  CHECK(ui.workspace().selection.head == 3);
}

TEST_CASE("the mean without a set is the block's; numbers and \"all\" choose whole rows of heads") {
  UiDriver ui(attention());
  ui.click("Mean");
  ui.hover("attention", 0.3f, 0.7f);
  CHECK(ui.app().hover().cell.tensor == "lens.pattern.average.L2H0-3");
  ui.click("all heads of block 1");
  ui.hover("attention", 0.3f, 0.7f);
  CHECK(ui.app().hover().cell.tensor == "lens.pattern.average.L1H0-3");
  ui.click("head 2 of all blocks");
  ui.hover("attention", 0.3f, 0.7f);
  CHECK(ui.app().hover().cell.tensor == "lens.pattern.average.L0-3H2");
  ui.click("all heads");
  CHECK(attentionSettings(ui).heads.size() == 16);
  ui.hover("attention", 0.3f, 0.7f);
  ui.screenshot("attention_mean_of_all");
}

TEST_CASE("moved is beside scores, mask and pattern") {
  UiDriver ui(attention());
  ui.click("Value-weighted");
  CHECK(attentionSettings(ui).stage == AttentionStage::Moved);
  ui.hover("attention", 0.1f, 0.9f);
  const Target target = ui.app().hover();
  CHECK(target.cell.tensor == "lens.moved.L2H0");
  CHECK_THAT(target.text, ContainsSubstring("reads from"));
  ui.screenshot("attention_moved");
}

TEST_CASE("rows are sorted and normalised on request, and still say which query they are") {
  UiDriver ui(attention(4, 4, 1920, 1080));
  CHECK_FALSE(ui.exists("Normalize rows"));
  ui.click("…");
  ui.click("Peaked first");
  CHECK(attentionSettings(ui).order == RowOrder::Focus);
  ui.hover("attention", 0.02f, 0.02f);
  CHECK(ui.app().hover().query == 0);  // the first token looks at itself alone: nothing is more focused
  CHECK(ui.app().hover().cell.tensor == "blocks.2.attn.hook_pattern");
  ui.click("Normalize rows");
  CHECK(attentionSettings(ui).normalized);
  ui.hover("attention", 0.02f, 0.5f);
  const Target target = ui.app().hover();
  CHECK(target.cell.tensor == "lens.pattern.L2H0.normalized");
  CHECK(target.cell.index[0] == target.query);
  ui.screenshot("attention_rows_sorted");
  ui.click("By key");
  CHECK(attentionSettings(ui).order == RowOrder::Key);
  ui.click("Text order");
  ui.click("Normalize rows");
  CHECK_FALSE(attentionSettings(ui).normalized);
  ui.click("…");
  CHECK_FALSE(ui.exists("Peaked first"));
}

TEST_CASE("the wheel zooms where the pointer is, dragging pans, a double click shows all again") {
  UiDriver::Options options = attention();
  options.workspace.text = manyWords(20);
  UiDriver ui(options);
  const int count = ui.snapshot().pass->trace->tokenCount();
  REQUIRE(count == 128);
  ui.hover("attention", 0.3f, 0.8f);
  const Target before = ui.app().hover();
  for (int i = 0; i < 8; ++i) {
    ImGui::GetIO().AddMouseWheelEvent(0, 1);
    ui.settle();
  }
  const PositionWindow zoomedIn = attentionSettings(ui).window;
  CHECK(zoomedIn.count < 30);
  const Target after = ui.app().hover();
  CHECK(std::abs(after.query - before.query) <= 2);
  CHECK(std::abs(after.key - before.key) <= 2);
  CHECK(after.cell.index[1] == after.query);
  ui.screenshot("attention_zoomed");
  const Selection selection = ui.workspace().selection;
  ui.drag("attention", 60, -40);
  CHECK(attentionSettings(ui).window.firstKey < zoomedIn.firstKey);
  CHECK(attentionSettings(ui).window.firstQuery > zoomedIn.firstQuery);
  CHECK(attentionSettings(ui).window.count == zoomedIn.count);
  CHECK(ui.workspace().selection == selection);  // dragging is no click
  ui.wheel("attention", -1);
  CHECK(attentionSettings(ui).window.count > zoomedIn.count);
  ui.doubleClick("attention", 0.5f, 0.5f);
  CHECK(attentionSettings(ui).window == PositionWindow{});
}

TEST_CASE("a zoomed or sorted matrix shows the colours of its own cells") {
  UiDriver::Options options = attention();
  options.workspace.text = manyWords(20);
  options.workspace.settings.attention.window = {70, 61, 12};
  for (const RowOrder order : {RowOrder::Text, RowOrder::Focus}) {
    options.workspace.settings.attention.order = order;
    UiDriver ui(options);
    ui.hover("Stage view", 0.01f, 0.97f);
    const ItemRecord item = ui.find("attention");
    const auto pixels = ui.pixels();
    int visible = 0;
    for (int row = 0; row < 12; ++row)
      for (int column = 0; column < 12; ++column) {
        const float x = (static_cast<float>(column) + 0.3f) / 12, y = (static_cast<float>(row) + 0.3f) / 12;
        ui.hover("attention", x, y);
        const Target target = ui.app().hover();
        const auto value = valueOf(sourcesOf(ui.snapshot()), target.cell);
        REQUIRE(value);
        if (target.key > target.query || *value < 0.02f) continue;
        const auto px = static_cast<std::size_t>(item.min.x + (item.max.x - item.min.x) * x);
        const auto py = static_cast<std::size_t>(item.min.y + (item.max.y - item.min.y) * y);
        const unsigned char* drawn = &pixels[(py * 1280 + px) * 4];
        const Rgba expected = colorAt(ColorMap::Sequential, *value, true);
        INFO(row << ", " << column << ": " << *value);
        CHECK(std::abs(drawn[0] - expected.r) + std::abs(drawn[1] - expected.g) +
                  std::abs(drawn[2] - expected.b) <=
              9);
        ++visible;
      }
    CHECK(visible > 5);
  }
}

TEST_CASE("in the sentence a click chooses whose attention colours it") {
  UiDriver ui(attention());
  ui.click("Text heatmap");
  ui.click("key 2");
  CHECK(ui.workspace().selection.query == 2);
  ui.hover("query 4");
  CHECK(ui.app().hover().cell.tensor == "blocks.2.attn.hook_pattern");
  CHECK(ui.app().hover().query == 4);
  CHECK(ui.app().hover().key == 2);
  ui.click("query 9");
  CHECK(ui.workspace().selection.query == 9);
  ui.click("Mean");
  ui.click("Value-weighted");
  ui.hover("key 3");
  CHECK(ui.app().hover().cell.tensor == "lens.moved.average.L2H0-3");
  ui.screenshot("attention_sentence_mean");
}

TEST_CASE("arcs have a threshold and several heads in their colours") {
  UiDriver ui(attention(4, 4, 1920, 1080));
  ui.click("Arcs");
  for (const auto& [label, percent] : {std::pair{"1 %", 1}, std::pair{"2 %", 2}, std::pair{"5 %", 5},
                                       std::pair{"20 %", 20}, std::pair{"40 %", 40}, std::pair{"10 %", 10}}) {
    ui.click(label);
    CHECK(attentionSettings(ui).leastPercent == percent);
  }
  ui.clickWith(ImGuiMod_Ctrl, "head 0.1");
  ui.clickWith(ImGuiMod_Ctrl, "head 3.3");
  CHECK(attentionSettings(ui).heads.size() == 3);
  ui.screenshot("attention_arcs_three_heads");
  ui.hover("legend L0H1");
  CHECK(ui.app().hover().head == 1);
  ui.screenshot("attention_arcs_one_lit");
  ui.click("legend L0H1");
  CHECK(attentionSettings(ui).heads.size() == 2);
  ui.click("arcs", 0.3f, 0.97f);
  CHECK(ui.workspace().selection.query == ui.app().hover().token);
  CHECK_THAT(ui.app().hover().text, ContainsSubstring("attends to"));
  ui.screenshot("attention_arcs_token");
  ui.wheel("arcs", 2);
  CHECK(attentionSettings(ui).window.count > 0);
  ui.doubleClick("arcs", 0.5f, 0.5f);
  CHECK(attentionSettings(ui).window == PositionWindow{});
}

TEST_CASE("two heads, their difference, and what one looks at beside what it moves") {
  UiDriver ui(attention(4, 4, 1920, 1080));
  ui.click("Two heads");
  ui.click("head 1.0");
  ui.clickWith(ImGuiMod_Ctrl, "head 3.1");
  CHECK(attentionSettings(ui).other == HeadId{3, 1});
  ui.hover("left head", 0.1f, 0.9f);
  CHECK(ui.app().hover().cell.tensor == "blocks.1.attn.hook_pattern");
  ui.hover("right head", 0.1f, 0.9f);
  CHECK(ui.app().hover().cell.tensor == "blocks.3.attn.hook_pattern");
  ui.hover("difference", 0.1f, 0.9f);
  CHECK(ui.app().hover().cell.tensor == "lens.pattern.difference.L1H0.L3H1");
  ui.screenshot("attention_two_heads_pointed");
  ui.click("Stage/Value-weighted");
  ui.hover("difference", 0.1f, 0.9f);
  CHECK(ui.app().hover().cell.tensor == "lens.moved.difference.L1H0.L3H1");
  ui.click("Same head");
  ui.hover("difference", 0.1f, 0.9f);
  CHECK(ui.app().hover().cell.tensor == "lens.surplus.L1H0");
  ui.screenshot("attention_one_head_moved");
  ui.click("Patterns");
  CHECK(attentionSettings(ui).pair == AttentionPair::Patterns);
}

TEST_CASE("all layouts with one token, one head, 144 heads and 512 tokens") {
  struct Kind {
    const char* name;
    int layers, heads, context;
    std::string text;
  };
  for (const Kind& kind : {Kind{"one_token", 4, 4, 128, "The"}, Kind{"one_head", 1, 1, 128, "The cat sat."},
                           Kind{"144_heads", 12, 12, 128, initialWorkspace().text},
                           Kind{"512_tokens", 4, 4, 512, manyWords(90)}})
    for (const int width : {1280, 1920}) {
      UiDriver::Options options =
          attention(kind.layers, kind.heads, width, width == 1280 ? 720 : 1080, kind.context);
      options.workspace.text = kind.text;
      UiDriver ui(options);
      if (kind.context == 512) CHECK(ui.snapshot().pass->trace->tokenCount() == 512);
      for (const char* layout : {"Matrix", "Text heatmap", "Arcs", "Two heads"}) {
        ui.click(layout);
        ui.hover("Stage view", 0.01f, 0.97f);
        ui.screenshot("attention_" + std::string(kind.name) + "_" + layout + "_" + std::to_string(width));
      }
      CHECK(ui.workspace().settings.pictures.at("attention") == "two heads");
    }
}

TEST_CASE("an empty text says so in every layout") {
  UiDriver::Options options = attention();
  options.workspace.text.clear();
  for (const Picture& picture : viewOf("attention").pictures) {
    options.workspace.settings.pictures["attention"] = picture.id;
    UiDriver ui(options);
    CHECK_FALSE(ui.snapshot().pass->hasTrace());
    CHECK(ui.exists("Matrix"));  // the way to the others stays
  }
}

TEST_CASE("every layout compares two texts, beside each other and as their difference") {
  for (const bool dark : {true, false}) {
    UiDriver::Options options = attention(4, 4, 1920, 1080);
    options.workspace.text = "The animal was too tired.";
    options.workspace.aside = {"The street was too wide."};
    options.workspace.look.dark = dark;
    options.workspace.comparison = {OtherText{1}, ComparisonMode::Difference};
    UiDriver ui(options);
    REQUIRE(ui.snapshot().difference);
    for (const char* layout : {"Matrix", "Text heatmap", "Arcs", "Two heads"}) {
      ui.click(layout);
      ui.hover("Stage view", 0.01f, 0.97f);
      ui.screenshot(std::string("attention_difference_") + layout + (dark ? "_dark" : "_light"));
    }
    CHECK(ui.workspace().settings.pictures.at("attention") == "two heads");
    ui.click("Matrix");
    ui.click("…");
    CHECK(ui.exists("Normalize rows"));
    CHECK_FALSE(ui.exists("Peaked first"));  // rows stay where they can be compared
  }
}

TEST_CASE("heads are gathered by keyboard, too") {
  UiDriver ui(attention());
  for (int i = 0; i < 200 && ui.app().focus().name() != "Stage/head 1.1"; ++i) ui.press(ImGuiKey_Tab);
  REQUIRE(ui.app().focus().name() == "Stage/head 1.1");
  ui.press(ImGuiKey_Enter, ImGuiMod_Ctrl);
  CHECK(attentionSettings(ui).heads == std::vector<HeadId>{{1, 1}, {2, 0}});
  ui.press(ImGuiKey_Enter);
  CHECK(attentionSettings(ui).heads.empty());
  CHECK(ui.workspace().selection.head == 1);
}

TEST_CASE("symbols stand where numbers stood, in two sizes and both themes") {
  UiDriver::Options options;
  options.loader = storiesModel;
  options.workspace.text = "The dog sang.";
  options.workspace.settings.pictures["attention"] = "matrix";
  UiDriver ui(options);
  ui.click("Scores");
  ui.click("…");
  ui.click("Symbols");
  ui.inEveryLook([&](const std::string& look) {
    ui.screenshot("symbols_" + look);
    CHECK(ui.texts().find("q₁·k₀") != std::string::npos);
    CHECK(ui.layoutFaults().substr(0, 400) == "");
  });
  ui.click("Symbols");
  CHECK(ui.texts().find("₁₀") == std::string::npos);
}

TEST_CASE("the point on the softmax surface goes where it is dragged, and back") {
  for (const auto& [width, height, dark] : usualLooks) {
    UiDriver::Options options{.width = width, .height = height};
    options.loader = storiesModel;
    options.workspace.view = "attention", options.workspace.settings.pictures["attention"] = "softmax";
    options.workspace.look.dark = dark, options.workspace.look.followsSystem = false;
    UiDriver ui(options);
    CHECK(ui.layoutFaults() == "");
    ui.drag("point of the two scores", 60, 10);
    CHECK(ui.workspace().settings.choices.contains("attention.softmax_moved"));
    CHECK(ui.exists("As computed"));
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("softmax_moved_" + std::to_string(width) + (dark ? "_dark" : "_light"));
    const std::string dragged = ui.workspace().settings.choices.at("attention.softmax_moved");
    ui.hover("point of the two scores");
    ui.press(ImGuiKey_RightArrow);
    CHECK(ui.workspace().settings.choices.at("attention.softmax_moved") != dragged);
    ui.click("As computed");
    CHECK_FALSE(ui.workspace().settings.choices.contains("attention.softmax_moved"));
  }
}

TEST_CASE(
    "every pixel of a thousand tokens is the largest share there, on a scale that says it is logarithmic") {
  UiDriver::Options options = attention(2, 2, 1280, 720, 1100);
  options.workspace.text = manyWords(200);
  options.workspace.settings.attention.moreShown = true;
  UiDriver ui(options);
  ui.hover("Stage view", 0.01f, 0.97f);
  const int tokens = ui.snapshot().pass->countOf(Stream::Text);
  REQUIRE(tokens == 1100);  // more than fits into one tile
  CHECK(ui.exists("Log scale"));
  CHECK_THAT(ui.texts(), ContainsSubstring("log scale"));
  CHECK(ui.layoutFaults().substr(0, 400) == "");
  const HeadId head = selectedHead(ui.workspace(), *ui.snapshot().model->config);
  const TensorView shares =
      (*ui.snapshot().pass->trace)[attentionPoint(head.layer, head.site, "hook_pattern")][head.head];
  while (ui.app().restless()) ui.frames(1);
  const auto pixels = ui.pixels();
  const ItemRecord box = ui.find("attention");
  Matrix matrix;
  matrix.range = {1.0f / (8 * 1100), 1, true};
  const float perPixel = 1100 / (box.max.x - box.min.x);
  REQUIRE(perPixel > 2);
  const auto shown = [&](int x, int y) {
    const auto at = static_cast<std::size_t>((y * 1280 + x) * 4);
    return Rgba{pixels[at], pixels[at + 1], pixels[at + 2]};
  };
  // The largest share of the cells under a pixel, and of so many beside it: of minus half a pixel, the one in
  // its middle.
  const auto largest = [&](int x, int y, float beside) {
    const auto cell = [&](float at) { return std::clamp(static_cast<int>(at), 0, tokens - 1); };
    const float column = (static_cast<float>(x) - box.min.x) * perPixel,
                row = (static_cast<float>(y) - box.min.y) * perPixel;
    float most = 0;
    for (int t = cell(row - beside); t <= cell(row + perPixel + beside); ++t)
      for (int s = cell(column - beside); s <= cell(column + perPixel + beside); ++s)
        most = std::max(most, shares(t, s));
    return most;
  };
  const auto light = [](Rgba c) { return c.r + c.g + c.b; };
  int seen = 0;
  for (int y = static_cast<int>(box.min.y) + 60; y < static_cast<int>(box.max.y) - 4; y += 7)
    for (int x = static_cast<int>(box.min.x) + 4;
         x < static_cast<int>(box.min.x) + (y - static_cast<int>(box.min.y)) - 12; x += 4, ++seen) {
      INFO(x << " " << y);
      const int found = light(shown(x, y));
      REQUIRE(found <= light(cellColor(matrix, largest(x, y, perPixel), true)) + 12);
      REQUIRE(found >= light(cellColor(matrix, largest(x, y, -perPixel / 2), true)) - 12);
    }
  CHECK(seen > 500);
  ui.screenshot("attention_thousand");
  ui.click("Log scale");
  CHECK(attentionSettings(ui).scale == ShareScale::Linear);
  CHECK_THAT(ui.texts(), !ContainsSubstring("log scale"));
  ui.click("Log scale");
  CHECK(attentionSettings(ui).scale == ShareScale::Logarithmic);
}

TEST_CASE("a token that was chosen is let go by writing on, by Esc, by a click beside and in the inspector") {
  UiDriver ui;
  const auto choose = [&] {
    ui.click("attention", 0.01f, 0.3f);
    REQUIRE(ui.workspace().selection.query >= 0);
  };
  const auto isFree = [&] { return !ui.workspace().selection.hasTokens(); };
  choose();
  ui.screenshot("token_chosen");
  CHECK(ui.layoutFaults() == "");
  ui.click("Inspector/Deselect token");
  CHECK(isFree());
  CHECK_FALSE(ui.exists("Inspector/Deselect token"));
  choose();
  ui.press(ImGuiKey_Escape);
  CHECK(isFree());
  choose();
  ui.click("Stage view", 0.5f, 0.01f);
  CHECK(isFree());
  choose();
  ui.press(ImGuiKey_Space);
  CHECK(isFree());
  choose();
  ui.press(ImGuiKey_L, ImGuiMod_Ctrl);
  ui.press(ImGuiKey_End, ImGuiMod_Ctrl);
  ui.type(" So");
  CHECK(isFree());
}

TEST_CASE("a chosen token stays while one writes before it") {
  UiDriver ui;
  ui.click("attention", 0.01f, 0.3f);
  const int chosen = ui.workspace().selection.query;
  REQUIRE(chosen > 0);
  ui.click("Text");
  ui.press(ImGuiKey_Home, ImGuiMod_Ctrl);
  ui.type("So ");
  CHECK(ui.workspace().selection.query > chosen);
}

TEST_CASE("a list of one-letter words shows the letters") {
  UiDriver::Options options;
  options.loader = [](const std::string&, const ProgressCallback& watch) {
    return ModelLibrary(SOURCE_FOLDER "/build").load("letters", watch);
  };
  options.workspace.text = "cabd>dba";
  UiDriver ui(options);
  ui.inEveryLook([&](const std::string& look) {
    INFO(look);
    const std::string texts = ui.texts(), cut = "\n…\n";
    int times = 0;
    for (std::size_t at = texts.find(cut); at != std::string::npos; at = texts.find(cut, at + 1)) ++times;
    CHECK(times == 1);  // a choice: more of them
    ui.screenshot("letters_" + look);
  });
}
