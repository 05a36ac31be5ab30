#include "app/views/influence/influence_matrix_picture.h"

#include "core/lens/leaks.h"
#include "tests/app/views/seen_picture.h"

using namespace glassformer;

namespace {

Workspace leaksOver(ModelChanges changes) {
  Workspace workspace = openedOn("influence", "matrix");
  workspace.settings.choose(matrixChoice, leaksShown);
  workspace.changes = std::move(changes);
  return workspace;
}

}  // namespace

TEST_CASE("through the causal mask nothing leaks, which is said with how many pairs that holds for") {
  const SeenPicture seen(leaksOver({}));
  const int T = seen.snapshot->pass->trace->tokenCount();
  CHECK(seen.says("nothing: all " + std::to_string(T * (T - 1) / 2) +
                  " pairs that every block masks are exactly 0"));
  const HitRegion& hit = seen.hit("influences");
  Target target = hit.target;
  target.query = 2, target.key = 5, target.cell = target.cell.cell(2, 5);
  CHECK(hit.say(target).starts_with("another token than “·the” changes no bit"));
}

TEST_CASE("what gets around a window is outlined, counted and said") {
  const SeenPicture seen(leaksOver({{"mask", "window"}}));
  const ModelConfig& config = *seen.snapshot->model->config;
  const TensorView moved = *seen.scene.sources.find("lens.leaks");
  int masked = 0, leaks = 0, outlined = 0;
  Target leak = seen.hit("influences").target;
  moved.forEach([&](const auto& at, float value) {
    if (!isMaskedEverywhere(config, at[0], at[1])) return;
    ++masked, leaks += value > 0;
    if (value > 0) leak.query = at[0], leak.key = at[1];
  });
  for (const Shape& shape : seen.scene.shapes) {
    const auto* rect = std::get_if<Rect>(&shape);
    outlined += rect && rect->stroke == darkTheme().broken;
  }
  CHECK(leaks > 0);
  CHECK(outlined == leaks);
  CHECK(seen.says(std::to_string(leaks) + " of " + std::to_string(masked) +
                  " pairs that every block masks leak"));
  leak.cell = leak.cell.cell(leak.query, leak.key);
  CHECK(seen.hit("influences").say(leak).starts_with("a leak: no block lets “"));
}

TEST_CASE("where every token sees every other there is nothing to get around") {
  CHECK(SeenPicture(leaksOver({{"mask", "none"}})).says("no token is masked from any other"));
}
