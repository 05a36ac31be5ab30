#include "app/engine/compared_interventions.h"

#include <catch2/catch_test_macros.hpp>

#include "app/document/patch_settings.h"
#include "app/document/switches.h"
#include "app/document/tabs.h"
#include "app/document/view_commands.h"
#include "app/engine/patch_map.h"
#include "core/lens/patching.h"
#include "tests/app/engine/latest_for.h"

using namespace glassformer;

namespace {

Workspace comparing(const Interventions& interventions, Compared with) {
  Workspace workspace = initialWorkspace();
  setTabs(workspace, {TabText("The dog was too tired. The"), TabText("The cat was too old. The")}, 0);
  workspace.interventions = interventions;
  workspace.comparison.with = with;
  return workspace;
}

std::vector<float> logitsOf(const ShownPass& pass) { return (*pass.trace)["logits"].copy(); }

}  // namespace

TEST_CASE("what was frozen in one text stays with it, what means the same in both acts in both") {
  const Intervention off = zeroAblation({.kind = ModelPart::Kind::Head, .layer = 1, .head = 2});
  const auto plain = latestFor(comparing({}, Comparison::off));
  const Intervention atToken{.point = "blocks.1.hook_resid_mid",
                             .kind = InterventionKind::Replace,
                             .index = {2, 3, -1, -1},
                             .value = 4},
      cell{.point = "blocks.2.attn.hook_attn_scores",
           .kind = InterventionKind::Replace,
           .index = {0, 5, 1, -1},
           .value = 6},
      taken = heldAtMean(*plain->pass->trace,
                         zeroAblation({.kind = ModelPart::Kind::Head, .layer = 2, .head = 0}));
  const auto& model = plain->model->transformer;
  LivePass live(model);
  for (const Intervention& own : {atToken, cell, taken}) {
    const auto compared = latestFor(comparing({off, own}, OtherText{1}));
    REQUIRE(compared->other);
    const std::vector<int>&here = compared->pass->trace->tokens(),
          &there = compared->other->pass->trace->tokens();
    CHECK(logitsOf(*compared->pass) == (*live.run(here, {off, own}))["logits"].copy());
    CHECK(logitsOf(*compared->other->pass) == (*live.run(there, {off}))["logits"].copy());
    CHECK((*live.run(here, {off, own}))["logits"].copy() != (*live.run(here, {off}))["logits"].copy());
    // The same text as the model was loaded goes through all of them, and without interventions through none.
    const auto loaded = latestFor(comparing({off, own}, Comparison::asLoaded)),
               without = latestFor(comparing({off, own}, Comparison::withoutInterventions));
    CHECK(logitsOf(*loaded->other->pass) == logitsOf(*compared->pass));
    CHECK(logitsOf(*without->other->pass) == logitsOf(*plain->pass));
    const Workspace asked = comparing({off, own}, OtherText{1});
    CHECK(isOfOpenText(asked, own, *compared->pass->trace));
    CHECK_FALSE(isOfOpenText(asked, off, *compared->pass->trace));
    CHECK_FALSE(isOfOpenText(comparing({own}, Comparison::asLoaded), own, *compared->pass->trace));
  }
}

TEST_CASE("patches into the other text are of its pass without what was frozen in the open one") {
  const Intervention own{.point = "blocks.1.hook_resid_mid",
                         .kind = InterventionKind::Replace,
                         .index = {2, 3, -1, -1},
                         .value = 4};
  Workspace workspace = comparing({own}, OtherText{1});
  commands::choosePicture("influence", "patch").apply(workspace);
  workspace.settings.choose(patchChoice, "heads");
  const auto snapshot = latestFor(workspace);
  REQUIRE(snapshot->other);
  REQUIRE(snapshot->other->kept.measured);
  const Snapshot& there = *snapshot->other;
  const TensorView change = (*there.kept.measured)[patching::change];
  const int answer = static_cast<int>((*there.kept.measured)[patching::other](0));
  const auto [position, entry] = there.pass->predicted;
  const Alignment alignment = align(there.pass->trace->tokens(), snapshot->pass->trace->tokens());
  const auto patch = patchOfCell(there.model->transformer->config(), *there.pass->trace,
                                 *snapshot->pass->trace, alignment, patchKind(workspace.settings), 2, 1);
  REQUIRE(patch);
  LivePass fresh(there.model->transformer);
  const auto patched = fresh.run(there.pass->trace->tokens(), {*patch});
  const float expected =
      lead(*patched, position, entry, answer) - lead(*there.pass->trace, position, entry, answer);
  CHECK(std::abs(change(2, 1) - expected) < 1e-3f);
}
