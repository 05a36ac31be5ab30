#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "app/document/change_settings.h"
#include "app/document/selection_commands.h"
#include "app/document/switches.h"
#include "app/document/tabs.h"
#include "app/engine/counterfactual_search.h"
#include "core/lens/alignment.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;

namespace {

bool isLit(UiDriver& ui, const std::string& tensor) {
  return ui.app().hover().cell.tensor.find(tensor) != std::string::npos;
}

}  // namespace

TEST_CASE("where a number comes from is asked by key or mouse, and followed down to the weights and back") {
  for (const auto& [width, height, dark] : usualLooks) {
    UiDriver::Options options;
    options.width = width, options.height = height;
    options.workspace.look.dark = dark;
    options.workspace.selection.layer = 1;
    const std::string look = std::to_string(width) + (dark ? "_dark" : "_light");
    UiDriver ui(options);
    ui.hover("attention", 0.3f, 0.7f);
    REQUIRE(isLit(ui, "hook_pattern"));
    const TensorRef cell = ui.app().hover().cell;
    ui.press(ImGuiKey_W);
    CHECK(ui.exists("Why/Close##why"));
    CHECK(ui.layoutFaults() == "");
    const auto word = [&](int dimension) {
      return ui.snapshot()
          .pass->tokens[static_cast<std::size_t>(cell.index[static_cast<std::size_t>(dimension)])]
          .label;
    };
    CHECK(ui.texts().find(word(1) + ", " + word(2) + "  [") != std::string::npos);
    ui.screenshot("why_pattern_" + look);
    const auto follow = [&](const std::string& tensor) {
      const auto items = ui.items();
      const auto item = std::ranges::find_if(items, [&](const ItemRecord& each) {
        return each.label.find(tensor) != std::string::npos && each.label.find("##term") != std::string::npos;
      });
      INFO(tensor);
      REQUIRE(item != items.end());
      ui.hover(*item, 0.2f, 0.5f);
      CHECK(isLit(ui, tensor));
      ui.click(*item, 0.2f, 0.5f);
    };
    follow("hook_attn_scores");
    follow("hook_q");
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("why_query_" + look);
    follow("hook_normalized");
    follow("hook_resid");
    ui.screenshot("why_stream_" + look);
    ui.click("Why/Back##why");
    ui.press(ImGuiKey_LeftArrow);
    ui.press(ImGuiKey_LeftArrow);
    ui.press(ImGuiKey_LeftArrow);
    ui.hover("Why/Close##why");
    CHECK(ui.app().hover().cell.tensor == cell.tensor);
    CHECK(ui.app().hover().cell.index == cell.index);
    ui.press(ImGuiKey_RightArrow);
    CHECK(isLit(ui, "hook_attn_scores"));
    ui.press(ImGuiKey_Escape);
    CHECK_FALSE(ui.exists("Why/Close##why"));
  }
}

TEST_CASE(
    "the map outlines where the terms of an opened number come about, and no longer once it is closed") {
  UiDriver ui;
  // How many points of the map have the colour of an outline: bright ones on the edges of its boxes.
  const auto outlined = [&] {
    const std::vector<unsigned char> pixels = ui.pixels();
    const Rgba text = darkTheme().text;
    int count = 0;
    for (const ItemRecord& each : ui.items()) {
      if (!each.label.starts_with("map ")) continue;
      // Halfway down its left edge.
      const int x = static_cast<int>(each.min.x), y = static_cast<int>((each.min.y + each.max.y) / 2);
      int brightest = 0;
      for (int by = -1; by <= 1; ++by)
        brightest = std::max<int>(brightest, pixels[static_cast<std::size_t>(4 * (y * 1280 + x + by))]);
      count += brightest > static_cast<int>(text.r) * 7 / 10;
    }
    return count;
  };
  const int before = outlined();
  ui.rightClick("attention", 0.3f, 0.7f);
  REQUIRE(ui.exists("Why/Close##why"));
  ui.frames(2);
  CHECK(outlined() == before + 1);  // the scores, in the attention of this block
  ui.screenshot("why_outlined");
  const auto follow = [&](const std::string& tensor) {
    const auto items = ui.items();
    const auto item = std::ranges::find_if(items, [&](const ItemRecord& each) {
      return each.label.find(tensor) != std::string::npos && each.label.find("##term") != std::string::npos;
    });
    REQUIRE(item != items.end());
    ui.click(*item, 0.2f, 0.5f);
    ui.frames(2);
  };
  follow("hook_attn_scores"), follow("hook_q");
  CHECK(outlined() == before + 2);  // the norm that is read, and the attention, which has the weights
  ui.screenshot("why_outlined_weights");
  follow("c_attn.weight");
  ui.hover("Why/Close##why");
  CHECK(isLit(ui, "c_attn.weight"));
  CHECK(outlined() == before + 1);  // of a weight alone the attention that reads it
  ui.screenshot("why_weight");
  ui.click("Why/Close##why");
  ui.frames(2);
  CHECK(outlined() == before);
}

TEST_CASE("from a cell of attention what flips it is asked: here, or elsewhere where it looks here most") {
  for (const auto& [width, dark] : {std::pair{1280, true}, {1920, false}}) {
    UiDriver::Options options;
    options.width = width, options.height = width * 9 / 16;
    options.workspace.look.dark = dark;
    options.workspace.selection.layer = 2, options.workspace.selection.head = 0;
    UiDriver ui(options);
    const auto ask = [&](float x, float y) {
      ui.press(ImGuiKey_1);
      ui.rightClick("attention", x, y);
      REQUIRE(ui.exists("Why/Close##why"));
      const TensorRef cell = ui.app().hover().cell;
      REQUIRE(isLit(ui, "hook_pattern"));
      ui.screenshot("why_flip_" + std::to_string(width) + (dark ? "_dark" : "_light"));
      CHECK(ui.layoutFaults() == "");
      ui.click("Why/Find edits");
      ui.settle();
      CHECK_FALSE(ui.exists("Why/Close##why"));
      return cell;
    };
    for (const float x : {0.05f, 0.3f, 0.6f}) {
      const TensorRef cell = ask(x, 0.95f);
      const auto asked = changesAsked(ui.workspace(), ui.snapshot());
      REQUIRE(asked);
      REQUIRE(asked->head);
      INFO(cell.tensor << " " << cell.index[0] << ", of " << nameOf(*asked->head));
      CHECK(cell.tensor == attentionPoint(asked->head->layer, asked->head->site, "hook_pattern"));
      CHECK(asked->head->head == cell.index[0]);
      CHECK(asked->position == cell.index[1]);
      AnswerAsked anywhere = *asked;
      anywhere.target = -1;
      const int most = answerOf(*ui.snapshot().pass->trace, anywhere);
      CHECK(asked->target == (most == cell.index[2] ? -1 : cell.index[2]));
      CHECK(ui.workspace().view == "influence");
      CHECK((*ui.snapshot().kept.measured).contains(changes::lookedAt));
    }
    // A number of something else offers nothing of the kind.
    ui.press(ImGuiKey_1);
    ui.rightClick("attention", 0.3f, 0.95f);
    CHECK(ui.exists("Why/Find edits"));
    const auto items = ui.items();
    const auto other = std::ranges::find_if(items, [](const ItemRecord& each) {
      return each.label.find("hook_attn_scores") != std::string::npos;
    });
    REQUIRE(other != items.end());
    ui.click(*other, 0.2f, 0.5f);
    CHECK(ui.exists("Why/Find edits"));
    const auto below = ui.items();
    const auto query = std::ranges::find_if(
        below, [](const ItemRecord& each) { return each.label.find("hook_q") != std::string::npos; });
    REQUIRE(query != below.end());
    ui.click(*query, 0.2f, 0.5f);
    CHECK_FALSE(ui.exists("Why/Find edits"));
  }
}

TEST_CASE("a right click asks where a number comes from, and so does a click where it would do nothing") {
  UiDriver ui;
  ui.rightClick("attention", 0.3f, 0.7f);
  REQUIRE(ui.exists("Why/Close##why"));
  ui.click("Beside Why/Outside", 0.2f, 0.5f);
  CHECK_FALSE(ui.exists("Why/Close##why"));
  ui.press(ImGuiKey_7);
  REQUIRE(ui.workspace().view == "step");
  ui.click("Result");
  ui.click("step tensor", 0.4f, 0.4f);
  REQUIRE(ui.exists("Why/Close##why"));
  CHECK(isLit(ui, "hook_embed"));
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("why_step");
  ui.press(ImGuiKey_Escape);
}

TEST_CASE("what leaving out a head does opens in the pass without it, and says that this is another one") {
  for (const bool large : {true, false}) {
    UiDriver::Options options;
    options.width = large ? 1920 : 1280, options.height = large ? 1080 : 720;
    options.workspace.look.dark = large;
    options.workspace.view = "influence", options.workspace.settings.pictures["influence"] = "leave out";
    UiDriver ui(options);
    ui.await([&] { return ui.exists("ablated head L1H2"); });
    ui.hover("ablated head L1H2");
    REQUIRE(isLit(ui, "causal.logit"));
    ui.press(ImGuiKey_W);
    const auto follow = [&](const std::string& label) {
      std::vector<ItemRecord> items;
      const auto found = [&] {
        items = ui.items();
        return std::ranges::find_if(items, [&](const ItemRecord& each) {
          return each.label.find(label) != std::string::npos &&
                 each.label.find("##term") != std::string::npos;
        });
      };
      ui.await([&] { return found() != items.end(); });
      const auto item = found();
      REQUIRE(item != items.end());
      ui.click(*item, 0.2f, 0.5f);
    };
    const std::string look = large ? "1920_dark" : "1280_light";
    ui.await([&] { return ui.texts().find("head L1H2 ablated") != std::string::npos; });
    CHECK(ui.texts().find("shown pass") == std::string::npos);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("why_left_out_" + look);
    // The larger term first: follow the one of the other pass.
    follow("logits");
    if (ui.texts().find("In another pass: head L1H2 ablated") == std::string::npos) {
      ui.press(ImGuiKey_LeftArrow);
      const auto second = ui.items();
      const auto last = std::find_if(second.rbegin(), second.rend(), [](const ItemRecord& each) {
        return each.label.find("logits##term") != std::string::npos;
      });
      REQUIRE(last != second.rend());
      ui.click(*last, 0.2f, 0.5f);
    }
    CHECK(ui.texts().find("In another pass: head L1H2 ablated") != std::string::npos);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("why_left_out_logit_" + look);
    follow("hook_normalized");
    CHECK(ui.texts().find("In another pass: head L1H2 ablated") != std::string::npos);
    ui.press(ImGuiKey_LeftArrow);
    ui.press(ImGuiKey_LeftArrow);
    CHECK(ui.texts().find("In another pass") == std::string::npos);
    CHECK(ui.texts().find("causal.logit") != std::string::npos);
    ui.press(ImGuiKey_RightArrow);
    ui.press(ImGuiKey_Escape);
    CHECK_FALSE(ui.exists("Why/Close##why"));
  }
}

TEST_CASE("of a number that is changed its page says that its terms would give another one") {
  const std::string pattern = "blocks.1.attn.hook_pattern";
  for (const bool isHeld : {false, true}) {
    UiDriver::Options options;
    options.workspace.selection.layer = 1;
    const std::array<int, 3> cell{0, 8, 3};
    if (isHeld) options.workspace.interventions = {heldAt(pattern, cell, 0.9f)};
    UiDriver ui(options);
    ui.hover("attention", (3 + 0.5f) / 13, (8 + 0.5f) / 13);
    REQUIRE(isLit(ui, pattern));
    ui.press(ImGuiKey_W);
    CHECK((ui.texts().find("With the edits here: ") != std::string::npos) == isHeld);
    CHECK((ui.texts().find("computed from these: ") != std::string::npos) != isHeld);
    CHECK(ui.layoutFaults() == "");
  }
}

TEST_CASE("a token's vector is replaced by another token's, stands in the list, and is taken back") {
  UiDriver::Options options;
  options.workspace.view = "attention", options.workspace.settings.pictures["attention"] = "matrix";
  commands::selectCell(5, 2).apply(options.workspace);
  options.workspace.selection.layer = 1;
  UiDriver ui(options);
  const auto stream = [&](int position) {
    return (*ui.snapshot().pass->trace)["blocks.1.hook_resid_pre"][position].copy();
  };
  const std::vector<float> own = stream(5), taken = stream(2);
  CHECK(own != taken);
  ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
  ui.type("key's vector in front");
  ui.press(ImGuiKey_Enter);
  CHECK(ui.workspace().interventions.size() == 1);
  CHECK(stream(5) == taken);
  CHECK(stream(2) == taken);
  CHECK_THAT(ui.texts(), Catch::Matchers::ContainsSubstring("L1 resid_pre [5]"));
  const std::string from = "token 2 " + ui.snapshot().pass->tokens[2].label;
  CHECK(summaryOf(ui.workspace().interventions.front()) == "L1 resid_pre [5] = " + from);
  CHECK_THAT(ui.texts(), Catch::Matchers::ContainsSubstring(from));
  CHECK_THAT(ui.app().history().stateName(ui.app().history().state()),
             Catch::Matchers::ContainsSubstring(from));
  ui.inEveryLook([&](const std::string& look) {
    ui.screenshot("another_tokens_vector_" + look);
    CHECK(ui.layoutFaults() == "");
  });
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK(ui.workspace().interventions.empty());
  CHECK(stream(5) == own);
}

TEST_CASE("a head and an MLP are held at their mean over the text, and as another text has them") {
  UiDriver::Options options;
  options.workspace.view = "attention", options.workspace.settings.pictures["attention"] = "matrix";
  setTabs(options.workspace, {TabText("The dog was too tired."), TabText("The cat was too old.")}, 0);
  options.workspace.selection.layer = 1, options.workspace.selection.head = 2;
  UiDriver ui(options);
  const std::string z = "blocks.1.attn.hook_z", mlp = "blocks.1.hook_mlp_out";
  const auto does = [&](const char* name) {
    ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
    ui.type(name);
    ui.press(ImGuiKey_Enter);
  };
  does("MLP as it is in the text compared");
  CHECK(ui.workspace().interventions.empty());
  ui.press(ImGuiKey_Escape);
  does("Hold this head at its mean");
  const TensorView head = (*ui.snapshot().pass->trace)[z];
  for (int k = 0; k < head.extent[2]; ++k) {
    CHECK(head(0, 2, k) == head(3, 2, k));
    CHECK(head(0, 1, k) != head(3, 1, k));
  }
  REQUIRE(ui.workspace().interventions.size() == 1);
  CHECK(summaryOf(ui.workspace().interventions.front()) ==
        "head L1H2 = its mean over “The dog was too tired.”");
  CHECK_THAT(ui.texts(), Catch::Matchers::ContainsSubstring("its mean over"));
  does("Hold this block's MLP at its mean");
  const TensorView own = (*ui.snapshot().pass->trace)[mlp];
  for (int d = 0; d < own.extent[1]; ++d) CHECK(own(0, d) == own(3, d));
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK(ui.workspace().interventions.empty());
  ui.press(ImGuiKey_C);
  REQUIRE(ui.snapshot().other);
  const auto theirs = ui.snapshot().other->pass->trace;
  does("head as it is in the text compared");
  does("MLP as it is in the text compared");
  REQUIRE(ui.workspace().interventions.size() == 2);
  CHECK(summaryOf(ui.workspace().interventions.back()) == "MLP of block 1 = “The cat was too old.”");
  const auto now = ui.snapshot().pass->trace;
  int taken = 0;
  for (const auto& [here, there] : align(now->tokens(), theirs->tokens()).columns) {
    if (here < 0 || there < 0) continue;
    ++taken;
    CHECK((*now)[mlp][here].copy() == (*theirs)[mlp][there].copy());
    for (int k = 0; k < (*now)[z].extent[2]; ++k) CHECK((*now)[z](here, 2, k) == (*theirs)[z](there, 2, k));
  }
  CHECK(taken >= 6);
  ui.inEveryLook([&](const std::string& look) {
    ui.screenshot("held_as_in_another_text_" + look);
    CHECK(ui.layoutFaults() == "");
  });
}

namespace {

UiDriver openedOnPicture(const char* view, const char* picture, const UsualLook& look) {
  UiDriver::Options options;
  options.width = look.width, options.height = look.height, options.workspace.look.dark = look.dark;
  options.workspace.view = view, options.workspace.settings.pictures[view] = picture;
  return UiDriver(options);
}

// Clicks the first term whose name has this in it, as soon as there is one.
void followTerm(UiDriver& ui, const std::string& label) {
  std::vector<ItemRecord> items;
  const auto found = [&] {
    items = ui.items();
    return std::ranges::find_if(items, [&](const ItemRecord& each) {
      return each.label.find(label) != std::string::npos && each.label.find("##term") != std::string::npos;
    });
  };
  ui.await([&] { return found() != items.end(); });
  REQUIRE(found() != items.end());
  ui.click(*found(), 0.2f, 0.5f);
}

// Of every term that is listed block and part can be read, however long its name is.
void checkNames(UiDriver& ui) {
  const std::string said = ui.texts();
  int lengthy = 0;
  for (const ItemRecord& each : ui.items()) {
    const std::size_t id = each.label.find("##term");
    if (id == std::string::npos) continue;
    const std::string name = each.label.substr(0, id);
    const std::size_t block = name.find("blocks.");
    const std::string telling = block == std::string::npos ? name : name.substr(block + 7);
    INFO(name);
    CHECK(said.find(telling) != std::string::npos);
    lengthy += name.size() > 30;
  }
  CHECK(lengthy > 0);
}

}  // namespace

TEST_CASE("a gradient opens by the chain rule, in the pass that is run backward again") {
  for (const UsualLook& look : usualLooks) {
    UiDriver ui = openedOnPicture("influence", "matrix", look);
    ui.await([&] { return ui.exists("influences"); });
    ui.hover("influences", 0.2f, 0.8f);
    REQUIRE(isLit(ui, "lens.influence_matrix"));
    ui.press(ImGuiKey_W);
    for (const char* const point : {"gradient.hook_embed", "gradient.blocks.0.", "gradient.blocks.0."})
      followTerm(ui, point);
    CHECK(ui.texts().find("In another pass: the same pass, forward and backward") != std::string::npos);
    checkNames(ui);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("why_gradient_" + look.name());
  }
}

TEST_CASE("a count opens into the sizes that it is a product of, and a size says that it is one") {
  for (const UsualLook& look : usualLooks) {
    UiDriver ui = openedOnPicture("cost", "sizes", look);
    ui.await([&] { return ui.exists("MLP"); });
    ui.hover("MLP");
    ui.press(ImGuiKey_W);
    ui.await([&] { return ui.texts().find("THE PRODUCT OF: 5 factors") != std::string::npos; });
    CHECK(ui.texts().find("524288") != std::string::npos);  // 2 · 2 · 64 · 32 · 64
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("why_count_" + look.name());
    followTerm(ui, "cost.size_F");
    CHECK(ui.texts().find("A size that is counted") != std::string::npos);
  }
}
