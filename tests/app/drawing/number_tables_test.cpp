#include "app/drawing/number_tables.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <map>
#include <set>
#include <unordered_set>

#include "tests/app/views/view_cases.h"

using namespace glassformer;

namespace {

bool sameNumber(float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// One tensor of every rank that views draw, on two tokens.
struct Drawing {
  Scene scene;
  Snapshot snapshot;
  Drawing() {
    const auto set = std::make_shared<TensorSet>();
    set->add({"pattern", "HTS", "who looks where", ""}, Tensor({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}));
    set->add({"shares", "PV", "", ""}, Tensor({2, 3}, {1, 2, 3, 4, 5, 6}));
    set->add({"nodes", "N", "", ""}, Tensor({3}, {7, 8, 9}));
    scene.sources = {set};
    snapshot.pass = std::make_shared<ShownPass>(ShownPass{.tokens = {{0, "The", 0, 3}, {1, "·cat", 3, 7}}});
    snapshot.model = std::make_shared<ShownModel>(ShownModel{
        .vocabulary =
            std::make_shared<const std::vector<std::string>>(std::vector<std::string>{"a", "b", "c"})});
  }
  void matrix(TensorRef ref, Box box) {
    Matrix matrix;
    matrix.values = std::move(ref), matrix.box = box;
    scene.add(matrix);
  }
  void bar(const TensorRef& ref) {
    Bar bar;
    bar.track = {0, 0, 10, 10}, bar.value = ref;
    scene.add(bar);
  }
};

}  // namespace

TEST_CASE("the plane drawn largest is the main table, with the tokens of its rows and columns") {
  Drawing drawing;
  drawing.matrix({"pattern", {0, 0, 0}, 1, 2}, {0, 0, 10, 10});
  drawing.matrix({"pattern", {1, 0, 0}, 1, 2}, {0, 0, 100, 100});
  drawing.matrix({"pattern", {1, 0, 0}, 1, 2}, {0, 0, 10, 10});
  const auto tables = numberTables(drawing.scene, drawing.snapshot);
  REQUIRE(tables.size() == 2);
  CHECK(tables[0].name() == "pattern.H1");
  CHECK(tables[1].name() == "pattern.H0");
  CHECK(tables[0].corner == "T\\S");
  CHECK(tables[0].meaning == "who looks where");
  CHECK(tables[0].rows == std::vector<std::string>{"The", "·cat"});
  CHECK(tables[0].columns == tables[0].rows);
  CHECK(tables[0].values.values() == std::vector<float>{5, 6, 7, 8});
}

TEST_CASE("rows below each other come as one table, and cells that a plane holds not again") {
  Drawing drawing;
  drawing.matrix({"shares", {0, 2}, -1, 0}, {0, 0, 10, 10});
  drawing.matrix({"shares", {0, 0}, -1, 0}, {0, 10, 10, 10});
  drawing.bar({"shares", {1, 2}});
  drawing.bar({"nodes", {2}});
  drawing.bar({"nodes", {0}});
  drawing.bar({"nodes", {2}});
  HitRegion hit;
  hit.target.cell = {"nodes", {0}};
  hit.target.text = "the text\nand more";
  drawing.scene.hits.push_back(hit);
  const auto tables = numberTables(drawing.scene, drawing.snapshot);
  REQUIRE(tables.size() == 2);
  CHECK(tables[0].name() == "shares");
  CHECK(tables[0].corner == "V\\P");
  CHECK(tables[0].rows == std::vector<std::string>{"c", "a"});
  CHECK(tables[0].columns == std::vector<std::string>{"0", "1"});
  CHECK(tables[0].values.values() == std::vector<float>{3, 6, 1, 4});
  CHECK(tables[1].name() == "nodes");
  CHECK(tables[1].rows == std::vector<std::string>{"2", "the text"});
  CHECK(tables[1].values.values() == std::vector<float>{9, 7});
}

TEST_CASE("what is not there makes no table") {
  Drawing drawing;
  drawing.matrix({"missing", {}, 0, 1}, {0, 0, 10, 10});
  drawing.bar({"nodes", {5}});
  CHECK(numberTables(drawing.scene, drawing.snapshot).empty());
}

TEST_CASE("every view's tables hold every number that it draws, under distinct names") {
  forEachView([](const ViewCase& view) {
    INFO(view.name);
    const auto tables = numberTables(view.scene, view.input.snapshot);
    REQUIRE_FALSE(tables.empty());
    std::set<std::string> names;
    for (const NumberTable& table : tables) {
      names.insert(table.name());
      const TensorView values = table.values.view();
      CHECK(static_cast<int>(table.rows.size()) == values.extent[0]);
      CHECK(static_cast<int>(table.columns.size()) == values.extent[1]);
    }
    CHECK(names.size() == tables.size());
    std::map<std::string, std::unordered_set<float>> held;  // by tensor
    for (const NumberTable& table : tables)
      held[table.tensor].insert(table.values.values().begin(), table.values.values().end());
    int missing = 0;
    const auto holds = [&](const TensorRef& ref) {
      const auto drawn = plane(view.scene.sources, ref);
      if (!drawn) return;
      const auto& there = held[ref.tensor];
      drawn->forEach([&](const auto&, float v) { missing += !std::isnan(v) && !there.contains(v); });
    };
    for (const Shape& shape : view.scene.shapes) {
      if (const auto* matrix = std::get_if<Matrix>(&shape)) holds(matrix->values);
      if (const auto* curve = std::get_if<Curve>(&shape)) holds(curve->values);
      if (const auto* bar = std::get_if<Bar>(&shape)) holds(bar->value);
      if (const auto* ribbon = std::get_if<Ribbon>(&shape)) holds(ribbon->value);
    }
    CHECK(missing == 0);
  });
}

TEST_CASE("the main table of a head is its pattern, cell by cell") {
  Workspace workspace = initialWorkspace();
  workspace.selection.layer = 1, workspace.selection.head = 3;
  const auto snapshot = snapshotOf(workspace);
  const PlainMetrics metrics;
  const Theme theme = darkTheme();
  const Scene scene = viewOf("attention").scene({workspace, *snapshot, {1280, 720}, theme, metrics, {}});
  const NumberTable main = numberTables(scene, *snapshot).front();
  CHECK(main.name() == "blocks.1.attn.hook_pattern.H3");
  const TensorView pattern = (*snapshot->pass->trace)["blocks.1.attn.hook_pattern"][3];
  int different = 0;
  pattern.forEach([&](const auto& i, float v) { different += !sameNumber(main.values(i[0], i[1]), v); });
  CHECK(different == 0);
}
