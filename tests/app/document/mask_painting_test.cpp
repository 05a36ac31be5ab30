#include "app/document/mask_painting.h"

#include <catch2/catch_test_macros.hpp>

#include "app/document/history.h"
#include "app/document/workspace_json.h"

using namespace glassformer;
using namespace glassformer::commands;

namespace {

AttentionMask maskOf(const Workspace& workspace, const ModelConfig& loaded = {}) {
  return changedConfig(loaded, workspace.changes)->mask;
}

}  // namespace

TEST_CASE("painting changes the model; what the rule says anyway is not painted") {
  const ModelConfig loaded;
  Workspace workspace;
  paintMask(loaded, {{3, 1, false}, {2, 5, true}}).apply(workspace);
  CHECK(workspace.changes == ModelChanges{{"painted_mask", "2.5+ 3.1-"}});
  paintMask(loaded, {{3, 1, true}}).apply(workspace);
  CHECK(workspace.changes == ModelChanges{{"painted_mask", "2.5+"}});
  workspace.comparison.with = Comparison::asLoaded;
  paintMask(loaded, {{2, 5, false}}).apply(workspace);
  CHECK(workspace.changes.empty());
  CHECK_FALSE(workspace.comparison.isOn());
}

TEST_CASE("a stroke is undone as a whole, however long it takes; strokes one by one") {
  const ModelConfig loaded;
  History history{Workspace{}};
  for (int key = 0; key < 4; ++key)
    history.apply(paintMask(loaded, {{6, key, false}}, "stroke 1"), 10.0 * key);
  history.apply(paintMask(loaded, {{7, 0, false}}, "stroke 2"), 41);
  CHECK(maskOf(history.current()).painted.size() == 5);
  history.undo();
  CHECK(maskOf(history.current()).painted.size() == 4);
  history.undo();
  CHECK(history.current().changes.empty());
  CHECK_FALSE(history.canUndo());
  history.redo();
  CHECK(history.current().changes == ModelChanges{{"painted_mask", "6.0- 6.1- 6.2- 6.3-"}});
}

TEST_CASE("a mask begins with a rule, is inverted and cleared") {
  const ModelConfig loaded;
  Workspace workspace;
  paintMask(loaded, {{3, 1, false}}).apply(workspace);
  invertMask(loaded, 5).apply(workspace);
  for (int query = 0; query < 5; ++query)
    for (int key = 0; key < 5; ++key)
      CHECK(maskOf(workspace).allows(query, key) == (key > query || (query == 3 && key == 1)));
  CHECK(maskOf(workspace).allows(6, 2));
  invertMask(loaded, 5).apply(workspace);
  CHECK(workspace.changes == ModelChanges{{"painted_mask", "3.1-"}});
  startMaskFrom(loaded, MaskKind::Window).apply(workspace);
  CHECK(maskOf(workspace) == AttentionMask{MaskKind::Window, 4, {}});
  startMaskFrom(loaded, MaskKind::Causal).apply(workspace);
  CHECK(workspace.changes.empty());
}

TEST_CASE("a model that comes with a painted mask can be painted over and be as it was") {
  ModelConfig loaded;
  loaded.mask.painted = {{2, 0, false}};
  Workspace workspace;
  paintMask(loaded, {{2, 0, true}}).apply(workspace);
  CHECK(maskOf(workspace, loaded).painted.empty());
  CHECK(workspace.changes == ModelChanges{{"painted_mask", ""}});
  paintMask(loaded, {{2, 0, false}}).apply(workspace);
  CHECK(workspace.changes.empty());
  clearPaintedMask(loaded).apply(workspace);
  CHECK(maskOf(workspace, loaded).painted.empty());
}

TEST_CASE("a painted mask is in the session") {
  Workspace workspace;
  paintMask({}, {{3, 1, false}}).apply(workspace);
  workspace.settings.attention.painting = true;
  const auto back = workspaceFromJson(toJson(workspace));
  REQUIRE(back);
  CHECK(*back == workspace);
}
