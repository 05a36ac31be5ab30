#include "app/views/attention/word_picture.h"

#include <algorithm>
#include <catch2/catch_approx.hpp>

#include "app/document/selection_commands.h"
#include "app/document/session.h"
#include "app/document/switches.h"
#include "app/document/word_settings.h"
#include "core/lens/attention_stages.h"
#include "core/lens/one_query.h"
#include "tests/app/views/held_to_numbers.h"
#include "tests/app/views/seen_picture.h"

using namespace glassformer;
using Catch::Approx;

namespace {

Workspace oneWord(const ModelChanges& changes = {}) {
  Workspace workspace = openedOn("attention", "word");
  workspace.text = "The animal didn't cross the street.";
  workspace.changes = changes;
  workspace.selection.layer = 1, workspace.selection.head = 2;
  return workspace;
}

// Of the example that lectures work out by hand.
Workspace worked() {
  Workspace workspace = openedOn("attention", "word");
  workspace.model = "worked", workspace.text = "We wash our cats", workspace.selection.query = 0;
  return workspace;
}

// A picture of a small model, which answers at once.
struct SmallSeen {
  explicit SmallSeen(Workspace of, const Target& hover = {}, Point size = {1296, 872})
      : workspace(std::move(of)), snapshot(snapshotOf(workspace)) {
    look(hover, size);
  }
  void look(const Target& hover, Point size = {1296, 872}) {
    scene = viewOf("attention").scene({workspace, *snapshot, size, theme, metrics, hover});
  }

  Workspace workspace;
  std::shared_ptr<const Snapshot> snapshot;
  PlainMetrics metrics;
  Theme theme = darkTheme();
  Scene scene;
};

bool isRowName(const std::string& name) {
  for (const char* row :
       {"query", "keys", "products", "distances", "scaled", "positions", "capped", "masked", "exponentials",
        "unmasked", "zeroed", "weights", "values", "weighted", "sum", "output", "heads", "normed", "stream"})
    if (name == row) return true;
  return false;
}

// The rows that are drawn, from above.
std::vector<std::string> rowsOf(const Scene& scene) {
  std::vector<const HitRegion*> hits;
  for (const HitRegion& hit : scene.hits)
    if (isRowName(hit.name)) hits.push_back(&hit);
  std::ranges::stable_sort(hits, {}, [](const HitRegion* hit) { return hit->box.y; });
  std::vector<std::string> names;
  for (const HitRegion* hit : hits) names.push_back(hit->name);
  return names;
}

const HitRegion& regionOf(const Scene& scene, const std::string& name) {
  const auto found = std::ranges::find(scene.hits, name, &HitRegion::name);
  INFO(name);
  REQUIRE(found != scene.hits.end());
  return *found;
}

Target pointedAt(const Scene& scene, const std::string& row, int column) {
  const HitRegion& hit = regionOf(scene, row);
  return targetAt(hit, hit.box.cell(0, column, 1, hit.columns).center());
}

std::vector<float> numbersOf(const Scene& scene, const std::string& row) {
  std::vector<float> numbers;
  for (int column = 0; column < regionOf(scene, row).columns; ++column)
    numbers.push_back(*valueOf(scene.sources, pointedAt(scene, row, column).cell));
  return numbers;
}

bool saysIn(const Scene& scene, const std::string& words) {
  return std::ranges::any_of(scene.shapes, [&](const Shape& shape) {
    const auto* text = std::get_if<Text>(&shape);
    return text && text->text == words;
  });
}

// The rows in which outlines of this width lie, as they mark what is pointed at (1) and what made it (2).
std::vector<std::string> litRows(const SmallSeen& seen, float width) {
  std::vector<std::string> lit;
  for (const Shape& shape : seen.scene.shapes) {
    const auto* rect = std::get_if<Rect>(&shape);
    if (!rect || rect->stroke != seen.theme.text || rect->strokeWidth != width) continue;
    for (const HitRegion& hit : seen.scene.hits)
      if (hit.box.contains(rect->box.center()) && (isRowName(hit.name) || hit.name.ends_with(" sum")))
        lit.push_back(hit.name);
  }
  return lit;
}

using Rows = std::vector<std::string>;

}  // namespace

TEST_CASE("the worked example stands on one page, row by row, in the lecture's numbers") {
  const SeenPicture seen(worked(), {}, {924, 440});
  CHECK(rowsOf(seen.scene) == Rows{"query", "keys", "products", "scaled", "exponentials", "weights", "values",
                                   "weighted", "sum", "output", "heads"});
  CHECK(numbersOf(seen.scene, "products") == std::vector<float>{13, 24, 20, 12});
  CHECK(numbersOf(seen.scene, "scaled") == std::vector<float>{1.625f, 3, 2.5f, 1.5f});
  const std::vector<float> weights = numbersOf(seen.scene, "weights");
  const float printed[] = {0.1214f, 0.4802f, 0.2913f, 0.1071f};
  for (std::size_t i = 0; i < 4; ++i) CHECK(weights[i] == Approx(printed[i]).margin(5e-5));
  for (const char* number : {"13", "24", "20", "12", "1.625", "0.1214", "0.4802", "0.2913", "0.1071"})
    CHECK(saysIn(seen.scene, number));
  CHECK(saysIn(seen.scene, "= 8"));
  CHECK(seen.scene.title == "Attention of “We” · L0H0");
}

TEST_CASE("rows say what this model computes: those that it has no step for are missing") {
  const auto rows = [](const ModelChanges& changes) { return rowsOf(SmallSeen(oneWord(changes)).scene); };
  const Rows after{"values", "weighted", "sum", "output", "heads", "stream"};
  const auto followed = [&](Rows first) {
    first.insert(first.end(), after.begin(), after.end());
    return first;
  };
  CHECK(rows({}) == followed({"query", "keys", "products", "scaled", "masked", "exponentials", "weights"}));
  CHECK(rows({{"scale_attn_weights", "no"}}) ==
        followed({"query", "keys", "products", "masked", "exponentials", "weights"}));
  CHECK(rows({{"mask", "none"}}) ==
        followed({"query", "keys", "products", "scaled", "exponentials", "weights"}));
  for (const char* scheme : {"alibi", "relative", "bucketed"})
    CHECK(
        rows({{"position_embedding_type", scheme}}) ==
        followed({"query", "keys", "products", "scaled", "positions", "masked", "exponentials", "weights"}));
  CHECK(rows({{"attn_logit_softcapping", "20"}}) ==
        followed({"query", "keys", "products", "scaled", "capped", "masked", "exponentials", "weights"}));
  CHECK(rows({{"mask_time", "after_softmax"}}) ==
        followed({"query", "keys", "products", "scaled", "exponentials", "unmasked", "zeroed", "weights"}));
  CHECK(rows({{"attention_kernel", "argmax"}}) ==
        followed({"query", "keys", "products", "scaled", "masked", "weights"}));
  CHECK(rows({{"attention_kernel", "linear"}}) ==
        followed({"query", "keys", "products", "masked", "weights"}));
  CHECK(rows({{"attention_kernel", "distance"}}) ==
        followed({"distances", "masked", "exponentials", "weights"}));
  CHECK(rows({{"norm_placement", "sandwich"}}).end()[-2] == "normed");
  CHECK(rows({{"residual", "no"}}).back() == "heads");
  CHECK(std::ranges::count(rows({{"readout", "rows"}}), "output") == 0);
}

TEST_CASE("labels say what is compared: rotated, as features, or the tokens themselves") {
  const auto says = [](const ModelChanges& changes, const char* words) {
    return saysIn(SmallSeen(oneWord(changes)).scene, words);
  };
  CHECK(says({}, "query"));
  CHECK(says({{"position_embedding_type", "rotary"}}, "query, rotated"));
  CHECK(says({{"position_embedding_type", "rotary"}}, "key, rotated"));
  CHECK(says({{"qk_norm", "yes"}}, "query, normed"));
  CHECK(says({{"attention_kernel", "linear"}}, "φ(query)"));
  CHECK(says({{"similarity", "plain"}}, "query = x"));
  CHECK(says({{"readout", "rows"}}, "value = x"));
  CHECK(says({{"attention_kernel", "argmax"}}, "argmax"));
  CHECK(says({{"parallel_residual", "yes"}}, "+ MLP + stream"));
  CHECK_FALSE(says({{"position_embedding_type", "rotary"}}, "query"));
}

TEST_CASE("in every attention of every model each row is there, and weights are what the rows above make") {
  const PlainMetrics metrics;
  const Theme theme = lightTheme();
  int drawn = 0;
  for (const FamilyMember& member : familyMembers()) {
    Answering answering = withMember(member);
    std::vector<AttentionSite> sites{AttentionSite::Self};
    if (!member.source.empty())
      sites = {AttentionSite::Decoder, AttentionSite::Encoder, AttentionSite::Cross};
    for (const AttentionSite site : sites) {
      Workspace workspace = openedOn("attention", "word");
      workspace.text = member.text, workspace.source = member.source;
      workspace.selection.layer = 1, workspace.selection.head = 2, workspace.selection.site = site;
      const auto snapshot = answering(workspace);
      if (!snapshot->model->config->hasAttention()) continue;
      for (const Point size : {Point{616, 512}, Point{1296, 872}}) {
        const SceneInput input{workspace, *snapshot, size, theme, metrics, {}};
        const ViewCase view{member.name, input, viewOf("attention").scene(input)};
        checkNumbers(view), checkTexts(view);
        const Rows rows = rowsOf(view.scene);
        CHECK(std::ranges::count(rows, "masked") ==
              (snapshot->model->config->mask.seesAll() || keysOf(site) == Stream::Source ? 0 : 1));
        const std::vector<float> shares = numbersOf(view.scene, "exponentials"),
                                 weights = numbersOf(view.scene, "weights");
        const float sum = *valueOf(view.scene.sources, regionOf(view.scene, "weights sum").target.cell);
        for (std::size_t i = 0; i < weights.size(); ++i)
          CHECK(weights[i] == Approx(shares[i] / sum).margin(1e-5));
        ++drawn;
      }
    }
  }
  CHECK(drawn > 20);
}

TEST_CASE("of a long text the keys with the largest weights and the query's own stand there, and the rest") {
  Workspace workspace = oneWord();
  for (int i = 0; i < 6; ++i) workspace.text += " The animal didn't cross the street.";
  workspace.selection.query = 30, workspace.selection.key = 2;
  const SmallSeen seen(workspace, {}, {660, 520});
  const HitRegion& row = regionOf(seen.scene, "weights");
  std::vector<int> keys;
  float shown = 0;
  for (int column = 0; column < row.columns; ++column) {
    keys.push_back(pointedAt(seen.scene, "weights", column).key);
    shown += numbersOf(seen.scene, "weights")[static_cast<std::size_t>(column)];
  }
  CHECK(row.box.width / static_cast<float>(row.columns) >= 48);
  CHECK(std::ranges::is_sorted(keys));
  CHECK(std::ranges::count(keys, 30) == 1);
  CHECK(std::ranges::count(keys, 2) == 1);
  const TensorView all = (*seen.snapshot->pass->trace)["blocks.1.attn.hook_pattern"][2][30];
  float least = 1;
  for (const int key : keys)
    if (key != 2 && key != 30) least = std::min(least, all(key));
  for (int key = 0; key < all.extent[0]; ++key)
    if (std::ranges::count(keys, key) == 0) CHECK(all(key) <= least);
  const float rest = *valueOf(seen.scene.sources, regionOf(seen.scene, "weights of others").target.cell);
  CHECK(shown + rest == Approx(1).epsilon(1e-5));
  const int others = all.extent[0] - row.columns;
  CHECK(saysIn(seen.scene, std::to_string(others) + " others"));
}

TEST_CASE("step by step one row more or less is shown, and the last is marked") {
  SmallSeen seen(oneWord());
  const Rows all = rowsOf(seen.scene);
  const auto press = [&](const Command& command) {
    command.apply(seen.workspace);
    seen.look({});
  };
  const auto click = [&](const char* name) { press(regionOf(seen.scene, name).click({})); };
  const auto first = [&](std::size_t count) {
    return Rows(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count));
  };
  CHECK(std::ranges::none_of(seen.scene.hits, [](const HitRegion& hit) { return bool(hit.arrows); }));
  click("Step by step");
  CHECK(rowsOf(seen.scene) == first(1));
  click("Next row"), click("Next row");
  CHECK(rowsOf(seen.scene) == first(3));
  click("Previous row");
  CHECK(rowsOf(seen.scene) == first(2));
  // The arrow keys do so wherever the pointer is, and stay within the rows.
  for (const Point at : {Point{3, 3}, regionOf(seen.scene, "keys").box.center()}) {
    press(hitAt(seen.scene, at)->arrows(1, 0));
    press(hitAt(seen.scene, at)->arrows(-1, 0));
    CHECK(rowsOf(seen.scene) == first(2));
  }
  for (int i = 0; i < 4; ++i) press(seen.scene.hits.front().arrows(-1, 0));
  CHECK(rowsOf(seen.scene) == first(1));
  press(seen.scene.hits.front().arrows(100, 0));
  CHECK(rowsOf(seen.scene) == all);
  const float bottom = regionOf(seen.scene, all.back()).box.center().y;
  CHECK(std::ranges::any_of(seen.scene.shapes, [&](const Shape& shape) {
    const auto* rect = std::get_if<Rect>(&shape);
    return rect && rect->fill == seen.theme.accent && rect->box.contains({rect->box.center().x, bottom});
  }));
  click("All rows");
  CHECK(seen.workspace.settings.chosen(wordRowChoice).empty());
}

TEST_CASE("a session keeps the row, and a row that a model does not have is its last") {
  Workspace workspace = oneWord();
  workspace.settings.choose(wordRowChoice, "3");
  const TemporaryFolder folder;
  REQUIRE(saveSession(folder / "session.json", workspace));
  CHECK(restoreSession(folder / "session.json").workspace.settings.chosen(wordRowChoice) == "3");
  ViewSettings settings;
  CHECK_FALSE(chosenWordRow(settings, 9));
  settings.choose(wordRowChoice, "40");
  CHECK(chosenWordRow(settings, 9) == 8);
  settings.choose(wordRowChoice, "no number");
  CHECK(chosenWordRow(settings, 9) == 0);
}

TEST_CASE("what made a number lights up: the query and its own key, a row and its sum, all weighted values") {
  SmallSeen seen(oneWord());
  const auto point = [&](const char* row, int column) { seen.look(pointedAt(seen.scene, row, column)); };
  point("products", 2);
  CHECK(litRows(seen, 1) == Rows{"products"});
  CHECK(litRows(seen, 2) == Rows{"query", "keys"});
  point("scaled", 2);
  CHECK(litRows(seen, 2) == Rows{"products"});
  point("weights", 1);
  CHECK(litRows(seen, 2) == Rows{"weights sum", "exponentials"});
  seen.look(regionOf(seen.scene, "weights sum").target);
  CHECK(litRows(seen, 1) == Rows{"weights sum"});
  CHECK(litRows(seen, 2) == Rows{"exponentials"});
  point("weighted", 5);
  CHECK(litRows(seen, 2) == Rows{"weights", "values"});
  point("sum", 0);
  CHECK(litRows(seen, 2) == Rows{"weighted"});
  point("stream", 3);
  CHECK(litRows(seen, 2) == Rows{"heads"});
  // In the column of the number alone.
  point("scaled", 2);
  const Box column =
      regionOf(seen.scene, "products").box.cell(0, 2, 1, regionOf(seen.scene, "products").columns);
  for (const Shape& shape : seen.scene.shapes)
    if (const auto* rect = std::get_if<Rect>(&shape);
        rect && rect->stroke == seen.theme.text && rect->strokeWidth == 2)
      CHECK(column.contains(rect->box.center()));
}

TEST_CASE("a word is chosen as the query by a click; across, tokens are gone through") {
  SmallSeen seen(oneWord());
  Workspace after = seen.workspace;
  const HitRegion& word = regionOf(seen.scene, "word 3");
  word.click(word.target).apply(after);
  CHECK(after.selection.query == 3);
  CHECK(SmallSeen(after).scene.title.starts_with("Attention of “"));
  const FamilyMember member = familyMembers().front();
  Workspace across = openedOn("attention", "word");
  across.text = member.text, across.source = member.source;
  across.selection.site = AttentionSite::Cross, across.selection.query = 1;
  const auto snapshot = withMember(member)(across);
  const Scene scene =
      viewOf("attention").scene({across, *snapshot, {1296, 872}, seen.theme, seen.metrics, {}});
  CHECK(std::ranges::any_of(scene.shapes, [&](const Shape& shape) {
    const auto* text = std::get_if<Text>(&shape);
    return text && text->text.starts_with("“" + snapshot->pass->tokens[1].label + "”: q = ");
  }));
  Workspace next = across;
  regionOf(scene, "Token after").click({}).apply(next);
  CHECK(next.selection.query == 2);
  const HitRegion& key = regionOf(scene, "word 2");
  key.click(key.target).apply(next);
  CHECK(next.selection.keyAt(AttentionSite::Cross) == 2);
}

TEST_CASE("interventions are named where they act, and a head by argmax says so") {
  Workspace workspace = oneWord();
  workspace.interventions = {{"blocks.1.attn.hook_z", InterventionKind::Zero, {-1, 2, -1, -1}, 0}};
  CHECK(saysIn(SmallSeen(workspace).scene, "Σ = z, changed"));
  workspace.interventions = {{"blocks.1.attn.hook_z", InterventionKind::Zero, {-1, 3, -1, -1}, 0}};
  CHECK_FALSE(saysIn(SmallSeen(workspace).scene, "Σ = z, changed"));
  workspace.interventions = {hardened({1, 2})};
  const SmallSeen hard(workspace);
  CHECK(saysIn(hard.scene, "argmax"));
  const std::vector<float> weights = numbersOf(hard.scene, "weights");
  CHECK(std::ranges::count(weights, 1.0f) == 1);
}
