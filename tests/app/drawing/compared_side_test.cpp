#include "app/drawing/compared_side.h"

#include <catch2/catch_test_macros.hpp>

#include "app/document/selection_commands.h"
#include "app/explain/explain.h"
#include "tests/app/views/view_cases.h"

using namespace glassformer;
using Source = Target::Source;

namespace {

std::shared_ptr<const Snapshot> compared(const std::string& text, const std::string& other) {
  Workspace workspace = initialWorkspace();
  workspace.text = text;
  workspace.aside = {other};
  workspace.comparison = {OtherText{1}, ComparisonMode::Difference};
  return snapshotOf(workspace);
}

}  // namespace

TEST_CASE("the difference of two texts is what one trace holds minus what the other does") {
  const auto snapshot = compared("The cat was tired.", "The animal was tired.");
  REQUIRE(snapshot->difference);
  const Snapshot& difference = *snapshot->difference;
  const auto& sides = *difference.sides;
  const TensorView a = (*snapshot->pass->trace)["blocks.1.hook_resid_post"],
                   b = (*snapshot->other->pass->trace)["blocks.1.hook_resid_post"],
                   minus = (*difference.pass->trace)["blocks.1.hook_resid_post"];
  CHECK(minus.extent[0] == sides.alignments.text.count());
  for (int i = 0; i < sides.alignments.text.count(); ++i)
    for (int d = 0; d < minus.extent[1]; ++d) {
      const Alignment::Column& column = sides.alignments.text[i];
      if (column.a >= 0 && column.b >= 0) CHECK(minus(i, d) == a(column.a, d) - b(column.b, d));
    }
  CHECK(minus(0, 0) == 0);  // the same token, and nothing before it
  CHECK(difference.pass->measurements->contains("lens.residual_norm"));
}

TEST_CASE("positions of each side are those of its own text") {
  const auto snapshot = compared("The cat sat on the warm mat.", "The cat sat on the mat.");
  const ComparedSide other(*snapshot, Source::Other), difference(*snapshot, Source::Difference),
      own(*snapshot, Source::This);
  const int last = snapshot->pass->trace->tokenCount() - 1,
            otherLast = snapshot->other->pass->trace->tokenCount() - 1;
  REQUIRE(last > otherLast);
  Target target;
  target.query = last;
  CHECK(own.seen(target).query == last);
  CHECK(other.seen(target).query == otherLast);
  Target back = other.seen(target);
  CHECK(other.told(back).query == last);
  CHECK(other.told(back).source == Source::Other);
  CHECK(difference.seen(target).query == difference.snapshot().pass->trace->tokenCount() - 1);
  int onlyHere = 0;
  for (const Alignment::Column& column : difference.snapshot().sides->alignments.text.columns) {
    if (column.b >= 0) continue;
    ++onlyHere;
    target.query = column.a;
    CHECK(other.seen(target).query == Target::none);
  }
  CHECK(onlyHere == last - otherLast);
}

TEST_CASE("a click in the other picture selects the corresponding token of the open text") {
  const auto snapshot = compared("The cat sat on the warm mat.", "The cat sat on the mat.");
  const ComparedSide other(*snapshot, Source::Other);
  Scene scene;
  HitRegion hit;
  hit.click = [](const Target& target) { return commands::selectCell(target.query, target.key); };
  scene.hits.push_back(hit);
  other.adapt(scene);
  Target pointed;
  pointed.query = snapshot->other->pass->trace->tokenCount() - 1, pointed.key = 0;
  Workspace workspace = initialWorkspace();
  scene.hits.front().click(pointed).apply(workspace);
  CHECK(workspace.selection.query == snapshot->pass->trace->tokenCount() - 1);
  CHECK(workspace.selection.key == 0);
}

TEST_CASE("a number of the difference says both operands") {
  const auto snapshot = compared("The cat was tired.", "The animal was tired.");
  Target target;
  target.source = Source::Difference;
  target.cell = {"blocks.0.hook_resid_post", {1, 3}, -1, -1, -1, -1};
  const auto explanation = explain(snapshotOf(*snapshot, target), target);
  REQUIRE(explanation);
  REQUIRE(explanation->result);
  CHECK(*explanation->result == *valueOf(sourcesOf(*snapshot->difference), target.cell));
}

TEST_CASE("with and without interventions are two sides too") {
  Workspace workspace = initialWorkspace();
  workspace.interventions = {{.point = "blocks.0.attn.hook_z"}};
  workspace.comparison = {Comparison::withoutInterventions, ComparisonMode::Difference};
  const auto snapshot = snapshotOf(workspace);
  REQUIRE(snapshot->difference);
  const TensorView z = (*snapshot->other->pass->trace)["blocks.0.attn.hook_z"],
                   minus = (*snapshot->difference->pass->trace)["blocks.0.attn.hook_z"];
  CHECK(minus(2, 1, 3) == -z(2, 1, 3));
  CHECK(z(2, 1, 3) != 0);
}
