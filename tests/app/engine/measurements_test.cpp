#include "app/engine/measurements.h"

#include <catch2/catch_test_macros.hpp>

#include "app/views/views.h"
#include "tests/app/engine/latest_for.h"
#include "tests/small_model.h"

using namespace glassformer;

namespace {

Result<LoadedModel> manyHeads(const std::string& name, const ProgressCallback&) {
  return makeSmallModel(name, 3, 4, 128);
}

Workspace lookingAtInfluence() {
  Workspace workspace = initialWorkspace();
  workspace.view = "influence";
  return workspace;
}

Intervention off(const std::string& point) {
  return {point, InterventionKind::Zero, {-1, -1, -1, -1}, 0, {}};
}

}  // namespace

TEST_CASE("influence is measured where it is looked at, as far as the layout shows it") {
  Answering asked(manyHeads);
  Workspace workspace = initialWorkspace();
  const auto has = [&](const char* tensor) { return asked(workspace)->pass->measurements->contains(tensor); };
  CHECK_FALSE(has("lens.influence"));
  CHECK_FALSE(has("lens.influence_matrix"));
  workspace.view = "influence";
  CHECK(has("lens.influence"));
  CHECK_FALSE(has("lens.influence_matrix"));
  workspace.settings.pictures["influence"] = "matrix";
  CHECK(has("lens.influence_matrix"));
  CHECK_FALSE(has("lens.influence"));
  const auto measured = asked(workspace)->pass->measurements;
  workspace.settings.pictures["influence"] = "distance";
  workspace.settings.influence.byInput = workspace.settings.influence.logarithmic = true;
  CHECK(asked(workspace)->pass->measurements == measured);
  CHECK_FALSE(has("lens.leaks"));
  workspace.settings.choose(matrixChoice, leaksShown);
  CHECK_FALSE(has("lens.leaks"));  // another picture's
  workspace.settings.pictures["influence"] = "matrix";
  CHECK(has("lens.leaks"));
  for (int i = 0; i < 12; ++i) workspace.text += " The animal was too tired.";
  CHECK_FALSE(has("lens.influence_matrix"));  // too long for it
  CHECK_FALSE(has("lens.leaks"));
  CHECK(has("lens.influence"));
}

TEST_CASE("the prediction asked about is the chosen one, else the model's answer") {
  Answering asked(manyHeads);
  Workspace workspace = lookingAtInfluence();
  workspace.selection.query = 4;
  const auto snapshot = asked(workspace);
  CHECK(snapshot->pass->predicted ==
        Prediction{4, predictionAsked(workspace, *snapshot->pass->trace, *snapshot->model->config).entry});
  workspace.settings.influence.entry = 17;
  CHECK(asked(workspace)->pass->predicted == Prediction{4, 17});
  workspace.selection.query = 4000;
  workspace.settings.influence.entry = 1 << 20;
  const auto clamped = asked(workspace);
  CHECK(clamped->pass->predicted.position == clamped->pass->trace->tokenCount() - 1);
  CHECK(clamped->pass->predicted.entry < clamped->model->config->vocabulary);
}

TEST_CASE("what is switched off has no influence; compared without interventions it has") {
  Answering asked(manyHeads);
  Workspace workspace = lookingAtInfluence();
  for (const char* block : {"blocks.0.", "blocks.1.", "blocks.2."})
    workspace.interventions.push_back(off(std::string(block) + "hook_attn_out"));
  workspace.comparison.with = Comparison::withoutInterventions;
  const auto snapshot = asked(workspace);
  REQUIRE(snapshot->other);
  const int last = snapshot->pass->trace->tokenCount() - 1;
  const TensorView with = (*snapshot->pass->measurements)["lens.influence"],
                   without = (*snapshot->other->pass->measurements)["lens.influence"];
  for (int s = 0; s <= last; ++s) {
    CHECK((with(s) != 0) == (s == last));
    CHECK(without(s) > 0);
  }
  CHECK(snapshot->other->pass->predicted == snapshot->pass->predicted);
}

TEST_CASE("two texts are asked about the same token") {
  Answering asked(manyHeads);
  Workspace workspace = lookingAtInfluence();
  workspace.aside = {"The cat sat on the mat."};
  workspace.comparison = {OtherText{1}, ComparisonMode::Difference};
  const auto snapshot = asked(workspace);
  REQUIRE(snapshot->difference);
  CHECK(snapshot->other->pass->predicted.entry == snapshot->pass->predicted.entry);
  CHECK(snapshot->difference->pass->measurements->contains("lens.influence"));
}
