#include "app/views/residual/depth_picture.h"

#include "core/lens/depth_gradients.h"
#include "core/lens/residual_stream.h"
#include "tests/app/views/seen_picture.h"

using namespace glassformer;

namespace {

int curvesOf(const Scene& scene) {
  int curves = 0;
  for (const Shape& shape : scene.shapes) curves += std::holds_alternative<Curve>(shape);
  return curves;
}

}  // namespace

TEST_CASE("the gradient by depth has a curve for every variant, and at every sum its two parts") {
  const SeenPicture seen(openedOn("residual", "gradient"));
  const auto& model = *seen.snapshot->model->transformer;
  const int places = static_cast<int>(residualPlaces(model).size());
  CHECK(curvesOf(seen.scene) == 4);
  for (const char* words : {"unchanged, L = ", "no residual, L = ", "no norms, L = ", "neither, L = "})
    CHECK(seen.says(words));
  for (int place = 1; place < places; ++place) {
    const float skip = seen.at({"lens.gradient_skip_mean", {place}});
    CHECK(skip == seen.at({"lens.gradient_mean", {0, place}}));
    CHECK(seen.at({"lens.gradient_rest_mean", {place}}) < 1e-5f * skip);
  }
  seen.hit("arrives at x, 0 attn");
  CHECK(seen.says("both sides differ by ≤ "));
  CHECK(seen.hit("both sides").target.cell.tensor == "lens.gradient_rest_mean");  // so that it can be opened
}

TEST_CASE("without residual connections nothing comes through unchanged, and that is said") {
  Workspace workspace = openedOn("residual", "gradient");
  workspace.changes = {{"residual", "no"}};
  const SeenPicture seen(workspace);
  CHECK(curvesOf(seen.scene) == 2);
  CHECK(seen.says("the gradient has no skip"));
}

TEST_CASE("of one token the gradient by depth is that token's, and of the last one there is none") {
  Workspace workspace = openedOn("residual", "gradient");
  workspace.settings.choose("residual.gradient_tokens", "one");
  workspace.selection.query = 1;
  const SeenPicture seen(workspace);
  for (const Shape& shape : seen.scene.shapes)
    if (const auto* curve = std::get_if<Curve>(&shape)) {
      CHECK(curve->values.tensor == "lens.gradient_norm");
      CHECK(curve->values.index[2] == 1);
    }
  workspace.selection.query = seen.snapshot->pass->trace->tokenCount() - 1;
  const SeenPicture last(workspace);
  CHECK(last.says("No loss depends on this token"));
}
