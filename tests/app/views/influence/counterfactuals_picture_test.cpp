#include "app/views/influence/counterfactuals_picture.h"

#include <cmath>
#include <set>

#include "app/document/change_settings.h"
#include "app/document/tabs.h"
#include "app/engine/counterfactual_search.h"
#include "tests/app/views/seen_picture.h"

using namespace glassformer;

namespace {

// Which of these numbers stand as texts in the picture: row and column of a table.
std::set<std::pair<int, int>> shownOf(const Scene& scene, const char* tensor) {
  std::set<std::pair<int, int>> shown;
  for (const Shape& shape : scene.shapes)
    if (const auto* text = std::get_if<Text>(&shape); text && text->value.tensor == tensor)
      shown.emplace(text->value.index[0], text->value.index[1]);
  return shown;
}

}  // namespace

TEST_CASE("a list with room says of each finding what becomes of the answer that it was, too") {
  Workspace workspace = openedOn("influence", "smallest change");
  setTabs(workspace,
          {TabText("The animal didn't cross the street because it was too tired. What was too tired? The")},
          0);
  workspace.settings.choose(changesTried, "few");
  SeenPicture seen(workspace);
  const int sets = (*seen.snapshot->kept.measured)[changes::headSets].extent[0],
            found = (*seen.snapshot->kept.measured)[changes::replacements].extent[0];
  REQUIRE(sets < 5);
  REQUIRE(found > 20);
  const auto heads = shownOf(seen.scene, changes::headP), tokens = shownOf(seen.scene, changes::replacementP);
  for (int i = 0; i < sets; ++i)
    for (const int column : {changes::oldBefore, changes::oldAfter, changes::newBefore, changes::newAfter})
      CHECK(heads.contains({i, column}));
  CHECK(tokens.contains({0, changes::newAfter}));
  CHECK_FALSE(tokens.contains({0, changes::oldAfter}));  // of many there is no room for that
  // Few sets have room for other answers, too: each as a number and a bar that can be pointed at, before and
  // after.
  const TensorView others = (*seen.snapshot->kept.measured)[changes::headOthers];
  const auto bars = std::ranges::count_if(seen.scene.shapes, [](const Shape& shape) {
    const auto* bar = std::get_if<Bar>(&shape);
    return bar && bar->value.tensor == changes::headOthersP;
  });
  CHECK(bars >= 2 * sets);
  CHECK(shownOf(seen.scene, changes::replacementOthersP).empty());
  for (int i = 0; i < sets; ++i) {
    REQUIRE(std::isfinite(others(i, 0)));
    for (const int isAfter : {0, 1}) {
      const auto hit = std::ranges::find(
          seen.scene.hits, "head set " + std::to_string(i) + " line 2 " + (isAfter ? "after" : "before"),
          &HitRegion::name);
      REQUIRE(hit != seen.scene.hits.end());
      CHECK(hit->target.cell == TensorRef{changes::headOthersP, {i, 0, isAfter}});
      CHECK(hitAt(seen.scene, hit->box.center()) == &*hit);
    }
  }
}
