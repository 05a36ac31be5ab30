// One number taken apart, as it is drawn: a score, or what a head writes towards a logit.
#include "app/views/attention/decomposition_picture.h"

#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <set>

#include "app/drawing/entry_list.h"
#include "app/drawing/number_tables.h"
#include "app/explain/index_meaning.h"
#include "app/scene/format.h"
#include "core/lens/largest_parts.h"
#include "core/lens/ov_decomposition.h"
#include "core/lens/qk_decomposition.h"
#include "tests/app/views/view_cases.h"

using namespace glassformer;
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;

namespace {

Workspace askingWhy(bool ofOutput, bool largestFirst = false) {
  Workspace workspace = initialWorkspace();
  workspace.view = "attention", workspace.settings.pictures["attention"] = "why";
  workspace.selection.layer = 1, workspace.selection.head = 2, workspace.selection.query = 4;
  if (ofOutput) workspace.settings.choose("attention.taken_apart", "output");
  if (largestFirst) workspace.settings.choose("attention.score_order", "largest");
  return workspace;
}

struct WhySeen {
  explicit WhySeen(const Workspace& workspace, int layers = 3, int heads = 4)
      : snapshot(snapshotOf(workspace, layers, heads)),
        scene(viewOf("attention").scene({workspace, *snapshot, {1296, 872}, theme, metrics, {}})) {}

  float value(const TensorRef& ref) const { return *valueOf(scene.sources, ref); }
  std::vector<const Bar*> barsOf(const char* tensor) const {
    std::vector<const Bar*> bars;
    for (const Shape& shape : scene.shapes)
      if (const Bar* bar = std::get_if<Bar>(&shape); bar && bar->value.tensor == tensor) bars.push_back(bar);
    return bars;
  }
  const HitRegion& named(const std::string& name) const {
    const auto found = std::ranges::find(scene.hits, name, &HitRegion::name);
    REQUIRE(found != scene.hits.end());
    return *found;
  }

  PlainMetrics metrics;
  Theme theme = darkTheme();
  std::shared_ptr<const Snapshot> snapshot;
  Scene scene;
};

}  // namespace

TEST_CASE("by dimension every bar is as long as its number, upwards or downwards") {
  for (const bool ofOutput : {false, true}) {
    const WhySeen seen(askingWhy(ofOutput));
    const auto bars = seen.barsOf(ofOutput ? output::dimensions : score::dimensions);
    REQUIRE(bars.size() == 8);
    float most = 0;
    for (const Bar* bar : bars) most = std::max(most, std::abs(seen.value(bar->value)));
    int below = 0;
    for (const Bar* bar : bars) {
      const float value = seen.value(bar->value);
      const Box box = barBox(*bar, value);
      CHECK(box.height / bar->track.height == Approx(std::abs(value) / most / 2).margin(1e-4));
      CHECK((value < 0 ? box.y : box.bottom()) == Approx(bar->track.center().y).margin(1e-2));
      below += value < 0;
    }
    CHECK(below > 0);
  }
}

TEST_CASE("a head's output has a row for every key that it looks at, and the largest come first") {
  const WhySeen seen(askingWhy(true));
  CHECK_THAT(seen.scene.title, ContainsSubstring("OV output of L1H2 to “"));
  CHECK_THAT(seen.scene.about, ContainsSubstring(" to the logit of “"));
  CHECK(seen.named("output table").rows == 5);  // those up to the query
  CHECK(seen.barsOf(output::fromKey).size() == 5);
  const auto at = [](const HitRegion& hit, float x, float y) {
    return targetAt(hit, {hit.box.x + x * hit.box.width, hit.box.y + y * hit.box.height});
  };
  const Target last = at(seen.named("output table"), 0.01f, 0.99f);
  CHECK(last.key == 4);
  CHECK(last.cell == TensorRef{output::table, {4, 0}});
  CHECK_THAT(last.text, ContainsSubstring("what biases wrote"));

  const WhySeen ordered(askingWhy(true, true));
  const Target first = at(ordered.named("output table"), 0.01f, 0.01f);
  const TensorView sums = *ordered.scene.sources.find(output::fromKey);
  for (int key = 0; key < sums.extent[0]; ++key) CHECK(std::abs(sums(key)) <= std::abs(sums(first.key)));
}

TEST_CASE("names above columns stand whole, and low rows still name the largest and say its sum") {
  const WhySeen seen(askingWhy(true), 3, 4);
  const auto text = [](const Scene& scene, const std::string& words) -> const Text* {
    for (const Shape& shape : scene.shapes)
      if (const Text* found = std::get_if<Text>(&shape); found && found->text == words) return found;
    return nullptr;
  };
  const Text* longest = text(seen.scene, "embedding");
  REQUIRE(longest);
  CHECK(longest->maxWidth >= seen.metrics.width(longest->text, longest->style.face, longest->style.size));

  Workspace workspace = askingWhy(true);
  workspace.text = "The animal didn't cross the street because it was too tired. What was too tired? The";
  workspace.selection.query = -1;
  const auto snapshot = snapshotOf(workspace, 3, 4);
  const Scene low =
      viewOf("attention").scene({workspace, *snapshot, {640, 512}, seen.theme, seen.metrics, {}});
  const TensorView sums = *low.sources.find(output::fromKey);
  int largest = 0;
  for (int key = 1; key < sums.extent[0]; ++key)
    if (std::abs(sums(key)) > std::abs(sums(largest))) largest = key;
  CHECK(text(low, snapshot->pass->tokensOf(Stream::Text)[static_cast<std::size_t>(largest)].label));
  const auto saysSum = [&](const Shape& shape) {
    const Text* said = std::get_if<Text>(&shape);
    return said && said->value == TensorRef{output::fromKey, {largest}};
  };
  CHECK(std::ranges::any_of(low.shapes, saysSum));
}

TEST_CASE("a small table grows into a large stage, its letters a little less, and never beyond twice") {
  const Workspace workspace = askingWhy(true);
  const auto snapshot = snapshotOf(workspace, 3, 4);
  const PlainMetrics metrics;
  const Theme theme = darkTheme();
  struct Size {
    float cellWidth, cellHeight, letters;
  };
  const auto sizeOn = [&](Point stage) {
    const Scene scene = viewOf("attention").scene({workspace, *snapshot, stage, theme, metrics, {}});
    const auto table = std::ranges::find(scene.hits, "output table", &HitRegion::name);
    REQUIRE(table != scene.hits.end());
    const auto name = std::ranges::find_if(scene.shapes, [](const Shape& shape) {
      const Text* text = std::get_if<Text>(&shape);
      return text && text->text == "embedding";
    });
    REQUIRE(name != scene.shapes.end());
    return Size{table->box.width / static_cast<float>(table->columns),
                table->box.height / static_cast<float>(table->rows), std::get<Text>(*name).style.size};
  };
  const Size usual = sizeOn({900, 600}), large = sizeOn({1872, 940}), vast = sizeOn({3800, 2000});
  CHECK(large.cellWidth > usual.cellWidth);
  CHECK(large.cellHeight > 1.2f * usual.cellHeight);
  CHECK(usual.letters == theme.small);
  CHECK(large.letters > usual.letters);
  CHECK(vast.letters <= theme.body);
  CHECK(vast.cellHeight <= 2.01f * usual.cellHeight);
}

TEST_CASE("of many who wrote the largest are shown, and how many that are") {
  const WhySeen seen(askingWhy(true, true), 3, 12);
  CHECK(seen.named("output table").columns == 17);
  Workspace later = askingWhy(true, true);
  later.selection.layer = 2;
  const WhySeen many(later, 3, 12);
  CHECK(many.named("output table").columns == 20);
  CHECK_THAT(many.scene.about, ContainsSubstring("; 20 of 31 writers"));

  // The others have a column of their own, whose name leads to all of them.
  const OthersOf others(output::table);
  const HitRegion& rest = many.named("other columns");
  CHECK(rest.target.cell == TensorRef{others.ofColumns, {0}});
  const TensorView sums = *many.scene.sources.find(output::fromWriter);
  double listed = 0;
  for (const int writer : largestFirst(sums)) listed += double{sums(writer)};
  CHECK(listed + many.value(rest.target.cell) ==
        Approx(many.value({output::sum, {0}})).epsilon(1e-4).margin(1e-6));
  Workspace shown = later;
  rest.click(rest.target).apply(shown);
  CHECK(shown.settings.chosen("attention.score_order").empty());
  const auto saysOthers = [](const Shape& shape) {
    const Text* text = std::get_if<Text>(&shape);
    return text && text->text == "11 others";
  };
  CHECK(std::ranges::any_of(many.scene.shapes, saysOthers));
  CHECK(std::ranges::none_of(seen.scene.shapes, saysOthers));
}

TEST_CASE("where a window is low the list has as many rows as find room above the others and the sum") {
  Workspace workspace = askingWhy(false, true);
  workspace.selection.layer = 2;
  const auto snapshot = snapshotOf(workspace, 3, 12);
  const PlainMetrics metrics;
  const Theme theme = darkTheme();
  std::vector<int> listed;
  for (const float height : {900.0f, 600.0f, 500.0f}) {
    INFO(height);
    const Scene scene = viewOf("attention").scene({workspace, *snapshot, {900, height}, theme, metrics, {}});
    CHECK(scene.size.y == height);
    const auto table = std::ranges::find(scene.hits, std::string("score table"), &HitRegion::name);
    REQUIRE(table != scene.hits.end());
    listed.push_back(table->rows);
    const TensorView sums = *scene.sources.find(score::fromQuery);
    const OthersOf others(score::table, table->rows);
    const auto isSaid = [&](const TensorRef& number) {
      return std::ranges::any_of(scene.shapes, [&](const Shape& shape) {
        const Text* said = std::get_if<Text>(&shape);
        return said && said->value == number && said->at.y < height;
      });
    };
    CHECK(isSaid({others.ofRows, {0}}));
    CHECK(isSaid({score::sum, {0}}));
    double all = *valueOf(scene.sources, {others.ofRows, {0}});
    for (const int writer : largestFirst(sums, table->rows)) all += double{sums(writer)};
    CHECK(all == Approx(*valueOf(scene.sources, {score::sum, {0}})).epsilon(1e-4).margin(1e-5));
    CHECK_THAT(scene.about, ContainsSubstring("; " + std::to_string(table->rows) + " of 31 shown"));
  }
  CHECK(listed[0] == 20);
  CHECK(listed[1] < 20);
  CHECK(listed[2] < listed[1]);
}

TEST_CASE("beside the tables a colour scale has the range of all cells, those of the others among them") {
  for (const bool ofOutput : {false, true}) {
    Workspace workspace = askingWhy(ofOutput, true);
    workspace.selection.layer = 2;
    const WhySeen seen(workspace, 3, 12);
    const auto isScale = [](const Shape& shape) { return std::holds_alternative<ColorScale>(shape); };
    CHECK(std::ranges::count_if(seen.scene.shapes, isScale) == 1);
    float most = 0;
    std::set<std::string> tensors;
    for (const Shape& shape : seen.scene.shapes)
      if (const Matrix* matrix = std::get_if<Matrix>(&shape)) {
        tensors.insert(matrix->values.tensor);
        const float value = seen.value({matrix->values.tensor, matrix->values.index});
        CHECK(std::abs(value) <= matrix->range.high);
        most = matrix->range.high;
      }
    CHECK(tensors.contains(OthersOf(ofOutput ? output::table : score::table).inColumns));
    const auto saysRange = [&](const Shape& shape) {
      const Text* text = std::get_if<Text>(&shape);
      return text && text->text == formattedShort(most);
    };
    CHECK(std::ranges::any_of(seen.scene.shapes, saysRange));
  }
}

TEST_CASE("the table is exported with the keys' labels and those who wrote, in either order") {
  for (const bool largestFirst : {false, true}) {
    const WhySeen seen(askingWhy(true, largestFirst));
    const std::vector<NumberTable> tables = numberTables(seen.scene, *seen.snapshot);
    int found = 0;
    for (const NumberTable& table : tables) {
      if (table.tensor != output::table) continue;
      ++found;
      const TensorView cells = *seen.scene.sources.find(output::table);
      REQUIRE(static_cast<int>(table.columns.size()) == cells.extent[1]);
      CHECK(table.corner == "S\\O");
      const std::string animal = seen.snapshot->pass->tokensOf(Stream::Text)[1].label;
      const auto row = std::ranges::find(table.rows, animal) - table.rows.begin(),
                 column = std::ranges::find(table.columns, "L0H0") - table.columns.begin();
      REQUIRE(row < static_cast<long>(table.rows.size()));
      REQUIRE(column < static_cast<long>(table.columns.size()));
      CHECK(table.values.view()(static_cast<int>(row), static_cast<int>(column)) == cells(1, 3));
      if (!largestFirst) CHECK((row == 1 && column == 3 && table.columns[0] == "biases"));
    }
    CHECK(found == 1);
  }
}

TEST_CASE("indices of both tables say who wrote, and where") {
  const WhySeen seen(askingWhy(true));
  const auto words = [&](const char* tensor, const TensorRef& cell) {
    return indexMeanings(*seen.snapshot, *seen.scene.sources.point(tensor), cell);
  };
  CHECK_THAT(words(output::table, {output::table, {1, 3}}), ContainsSubstring("wrote it L0H0"));
  CHECK_THAT(words(output::table, {output::table, {1, 3}}), ContainsSubstring("key 1  "));
  CHECK_THAT(words(output::values, {output::values, {1, 0, 6}}),
             ContainsSubstring("wrote it biases, dimension 6"));
  const WhySeen score(askingWhy(false));
  CHECK(indexMeanings(*score.snapshot, *score.scene.sources.point(score::table), {score::table, {3, 2}}) ==
        "wrote it L0H0, and position");
}

TEST_CASE("a head's output towards a logit that is ahead of another: a click with Ctrl subtracts it") {
  const Workspace workspace = askingWhy(true);
  const WhySeen seen(workspace);
  const std::vector<int> likeliest =
      likeliestEntries({workspace, *seen.snapshot, {1296, 872}, seen.theme, seen.metrics, {}}, 4, 2);
  const std::string answer = seen.snapshot->model->entryLabel(likeliest[0]),
                    other = seen.snapshot->model->entryLabel(likeliest[1]);
  const auto at = [&](const WhySeen& of, const char* number) { return of.value({number, {0}}); };
  Workspace against = workspace;
  seen.named(other).extend(seen.named(other).target).apply(against);
  CHECK(against.settings.chosen("attention.against") == std::to_string(likeliest[1]));
  CHECK(against.settings.residual.entry == workspace.settings.residual.entry);
  Workspace ofOther = workspace;
  ofOther.settings.residual.entry = likeliest[1];
  const WhySeen difference(against), alone(ofOther);
  CHECK(at(difference, output::sum) ==
        Approx(at(seen, output::sum) - at(alone, output::sum)).epsilon(1e-3).margin(1e-5));
  CHECK_THAT(difference.scene.title, ContainsSubstring("to “" + answer + "” − “" + other + "” at"));
  CHECK_THAT(difference.scene.about, ContainsSubstring(" towards “" + answer + "” − “" + other + "”: "));
  Workspace again = against;
  difference.named(other).extend(difference.named(other).target).apply(again);
  CHECK(again == workspace);
}

TEST_CASE("a table that cannot be drawn says why, and the other one is a click away") {
  Workspace workspace = askingWhy(true);
  workspace.changes = {{"head_transform", "yes"}};
  const WhySeen seen(workspace);
  CHECK_THAT(seen.scene.about, ContainsSubstring("a nonlinear layer stands before the unembedding"));
  CHECK(seen.named("QK score").click);
}

TEST_CASE("where columns have room for numbers, rows do, too: of what is below them, then by scrolling") {
  Workspace workspace = askingWhy(false);
  workspace.selection.layer = 3, workspace.selection.head = 1;
  const auto snapshot = snapshotOf(workspace, 4, 4);
  const PlainMetrics metrics;
  const Theme theme = darkTheme();
  const auto drawn = [&](Point size) {
    return viewOf("attention").scene({workspace, *snapshot, size, theme, metrics, {}});
  };
  const auto numbersOf = [](const Scene& scene) {
    return std::ranges::count_if(scene.shapes, [](const Shape& shape) {
      const Text* text = std::get_if<Text>(&shape);
      return text && text->value.tensor == score::table;
    });
  };
  const TensorView cells = *drawn({1280, 720}).sources.find(score::table);
  const int all = cells.extent[0] * cells.extent[1];
  REQUIRE(cells.extent[0] > 18);
  CHECK(drawn({1280, 720}).size.y == 720);
  CHECK(numbersOf(drawn({1280, 720})) == all);
  const Scene low = drawn({1280, 400});
  CHECK(low.size.y > 400);
  CHECK(numbersOf(low) == all);
  // Between so many columns no number has room; names and sums have it.
  const Scene narrow = drawn({656, 512});
  CHECK(narrow.size.y > 512);
  CHECK(numbersOf(narrow) == 0);
  CHECK(std::ranges::count_if(narrow.shapes, [](const Shape& shape) {
          const Text* text = std::get_if<Text>(&shape);
          return text && text->value.tensor == score::fromQuery;
        }) == cells.extent[0]);
  // Lines beside the table stand inside of the picture, one after the other.
  workspace.interventions = {{"blocks.1.hook_resid_post", InterventionKind::Add, {4, 3, -1, -1}, 2}};
  const auto changed = snapshotOf(workspace, 4, 4);
  const Scene beside = viewOf("attention").scene({workspace, *changed, {1280, 720}, theme, metrics, {}});
  const auto line = std::ranges::find_if(
      beside.hits, [](const HitRegion& hit) { return hit.target.cell.tensor == score::byHandQuery; });
  REQUIRE(line != beside.hits.end());
  CHECK(line->box.bottom() < 720);
  CHECK(line->box.right() < 1280);
}
