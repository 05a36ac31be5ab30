#include "app/views/next_token/classes_picture.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "app/document/model_commands.h"
#include "core/lens/class_probabilities.h"
#include "core/model/head.h"
#include "tests/app/views/seen_picture.h"

using namespace glassformer;
using Catch::Approx;

namespace {

// Of a model whose head for classes has random weights.
Workspace withClasses(const char* count) {
  Workspace workspace = openedOn("next_token", "classes");
  commands::setModelChanges({{"num_labels", count}, {"first_label_token", "300"}, {"pooling", "mean"}})
      .apply(workspace);
  return workspace;
}

}  // namespace

TEST_CASE("each class stands with its logit, and what softmax makes of that, at the selected token") {
  Workspace workspace = withClasses("3");
  workspace.selection.query = 4;
  const SeenPicture seen(workspace);
  double sum = 0;
  for (int c = 0; c < 3; ++c) sum += std::exp(static_cast<double>(seen.at({classLogits, {4, c}})));
  for (int c = 0; c < 3; ++c) {
    const std::string name = seen.snapshot->model->entryLabel(300 + c);
    CHECK(seen.hit("class " + name).target.cell == TensorRef{classProbability, {4, c}});
    CHECK(seen.hit("logit of class " + name).target.cell == TensorRef{classLogits, {4, c}});
    CHECK(seen.at({classProbability, {4, c}}) ==
          Approx(std::exp(static_cast<double>(seen.at({classLogits, {4, c}}))) / sum).epsilon(1e-4));
  }
  CHECK(seen.says("u_C = n_m · W_Cᵀ"));
  CHECK(seen.says("up to the selected token"));
}

TEST_CASE("of more classes than there is room for the likeliest are listed, and a click chooses a token") {
  SeenPicture seen(withClasses("200"), {}, {700, 420});
  int listed = 0;
  float most = 0;
  for (int c = 0; c < 200; ++c) most = std::max(most, seen.at({classProbability, {0, c}}));
  for (const HitRegion& hit : seen.scene.hits) listed += hit.name.starts_with("class ");
  CHECK(listed >= 2);
  CHECK(listed < 40);
  const auto row = std::ranges::find_if(
      seen.scene.hits, [](const HitRegion& hit) { return hit.name.starts_with("over the text"); });
  REQUIRE(row != seen.scene.hits.end());
  const Target first = targetAt(*row, {row->box.x + 2, row->box.center().y});
  seen.act(row->click(first));
  CHECK(seen.workspace.selection.query == 0);
  CHECK(most < 1);
}

TEST_CASE("a model without such a head says how it gets one") {
  CHECK(SeenPicture(openedOn("next_token", "classes")).says("No classification head"));
}
