#include "app/engine/patch_map.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "app/document/tabs.h"
#include "app/engine/model_library.h"
#include "core/lens/patching.h"
#include "tests/app/engine/latest_for.h"

using namespace glassformer;

namespace {

const std::string tired =
                      "The animal didn't cross the street because it was too tired. What was too tired? The",
                  wide = "The animal didn't cross the street because it was too wide. What was too wide? The";

std::shared_ptr<const Snapshot> patchedBy(const char* kind) {
  Workspace workspace = initialWorkspace();
  setTabs(workspace, {TabText(tired), TabText(wide)}, 0);
  workspace.comparison.with = OtherText{1};
  workspace.view = "influence", workspace.settings.pictures["influence"] = "patch";
  workspace.settings.choices[patchChoice] = kind;
  return latestFor(workspace);
}

}  // namespace

TEST_CASE("every cell of the patch map is the pass computed alone with that patch, in both directions") {
  const ModelLibrary library(SOURCE_FOLDER "/build");
  const auto model = library.load("stories")->transformer;
  for (const PatchKind& kind : patchKinds) {
    INFO(kind.id);
    const auto snapshot = patchedBy(kind.id);
    REQUIRE(snapshot->other);
    const Snapshot* const sides[] = {snapshot.get(), snapshot->other.get()};
    for (int i = 0; i < 2; ++i) {
      const Snapshot &here = *sides[i], &there = *sides[1 - i];
      REQUIRE(here.kept.measured);
      const TensorView change = (*here.kept.measured)[patching::change];
      const int other = static_cast<int>((*here.kept.measured)[patching::other](0));
      const auto [position, answer] = here.pass->predicted;
      const float before = lead(*here.pass->trace, position, answer, other);
      CHECK(before == (*here.kept.measured)[patching::lead](0));
      const Alignment alignment = align(here.pass->trace->tokens(), there.pass->trace->tokens());
      float most = 0;
      for (int layer = 0; layer < change.extent[0]; ++layer)
        for (int column = 0; column < change.extent[1]; ++column) {
          const auto patch = patchOfCell(model->config(), *here.pass->trace, *there.pass->trace, alignment,
                                         kind, layer, column);
          REQUIRE(patch);
          LivePass fresh(model);
          const auto patched = fresh.run(here.pass->trace->tokens(), {*patch});
          const float after = lead(*patched, position, answer, other);
          CHECK(std::abs(change(layer, column) - (after - before)) < 1e-3f);
          most = std::max(most, std::abs(change(layer, column)));
        }
      CHECK(most > 1);
    }
  }
}

TEST_CASE("a patch says of which token of which text its numbers are") {
  const auto snapshot = patchedBy(patchKinds[0].id);
  const ShownPass &here = *snapshot->pass, &there = *snapshot->other->pass;
  const Alignment alignment = align(here.trace->tokens(), there.trace->tokens());
  for (const PatchKind& kind : patchKinds) {
    const std::string text = "“The animal didn't cross …”";
    CHECK(patchOrigin(here, there, alignment, kind, 1) ==
          (kind.byHead ? text : "token 1 ·animal of " + text));
    CHECK(patchOrigin(here, here, alignment, kind, 1).ends_with("the pass compared with"));
  }
}
