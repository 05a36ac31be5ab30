#include "app/document/attention_planes.h"

#include <catch2/catch_test_macros.hpp>

#include "app/document/attention_commands.h"
#include "app/document/selection_commands.h"
#include "core/lens/attention_stages.h"

using namespace glassformer;

namespace {

const ModelConfig config{.layers = 3, .heads = 4};

Workspace after(Workspace workspace, const std::vector<Command>& commands) {
  for (const Command& command : commands) command.apply(workspace);
  return workspace;
}

Workspace selected(int layer, int head) {
  Workspace workspace = initialWorkspace();
  workspace.selection.layer = layer, workspace.selection.head = head;
  return workspace;
}

}  // namespace

TEST_CASE("the first head added joins the selected one, and both are averaged") {
  const Workspace w = after(selected(1, 2), {commands::toggleHead({0, 3})});
  CHECK(w.settings.attention.heads == std::vector<HeadId>{{0, 3}, {1, 2}});
  const AttentionPlane plane = matrixPlane(w, config);
  CHECK(plane.fold == HeadFold::Average);
  CHECK(plane.heads == w.settings.attention.heads);
  const Workspace back = after(w, {commands::toggleHead({0, 3}), commands::toggleHead({1, 2})});
  CHECK(back.settings.attention.heads == std::vector<HeadId>{{1, 2}});  // the last one stays
  CHECK(matrixPlane(back, config).fold == HeadFold::One);
}

TEST_CASE("selecting a head shows it alone") {
  const Workspace w = after(selected(1, 2), {commands::toggleHead({0, 3}), commands::selectHead(2, 0)});
  CHECK(w.settings.attention.heads.empty());
  CHECK(matrixPlane(w, config).heads == std::vector<HeadId>{{2, 0}});
}

TEST_CASE("without a set a fold is of the layer's heads; heads of a larger model are left out") {
  Workspace w = selected(2, 1);
  w.settings.attention.fold = HeadFold::Maximum;
  CHECK(matrixPlane(w, config).heads == std::vector<HeadId>{{2, 0}, {2, 1}, {2, 2}, {2, 3}});
  w.settings.attention.heads = {{0, 1}, {7, 0}, {1, 9}};
  CHECK(foldedHeads(w, config) == std::vector<HeadId>{{0, 1}});
  CHECK(drawnHeads(w, config) == std::vector<HeadId>{{0, 1}});
  CHECK(selectedHead(selected(30, -5), config) == HeadId{2, 0});
}

TEST_CASE("the other head is the next one until one is chosen") {
  CHECK(otherHead(selected(0, 3), config) == HeadId{1, 0});
  CHECK(otherHead(selected(2, 3), config) == HeadId{0, 0});
  CHECK(otherHead(after(selected(0, 0), {commands::compareWith({2, 2})}), config) == HeadId{2, 2});
  CHECK(otherHead(selected(0, 0), {.layers = 1, .heads = 1}) == HeadId{0, 0});
}

TEST_CASE("scores exist for one head in a matrix; elsewhere the pattern stands for them") {
  Workspace w = selected(0, 0);
  AttentionSettings& settings = w.settings.attention;
  settings.stage = AttentionStage::Masked;
  CHECK(matrixPlane(w, config).quantity == AttentionQuantity::Masked);
  CHECK(sentencePlane(w, config).quantity == AttentionQuantity::Pattern);
  settings.fold = HeadFold::Average;
  CHECK(matrixPlane(w, config).quantity == AttentionQuantity::Pattern);
}

TEST_CASE("arcs are drawn of as many heads as can be told apart") {
  const ModelConfig large{.layers = 12, .heads = 12};
  Workspace w = selected(0, 0);
  CHECK(arcPlanes(w, large).size() == 1);
  for (int layer = 0; layer < 12; ++layer)
    for (int head = 0; head < 12; ++head) w.settings.attention.heads.push_back({layer, head});
  CHECK(drawnHeads(w, large).size() == 144);
  CHECK(arcPlanes(w, large).size() == mostArcHeads);
}

TEST_CASE("rows are ordered and normalised where there are rows of shares") {
  Workspace w = selected(0, 0);
  AttentionSettings& settings = w.settings.attention;
  settings.order = RowOrder::Key, settings.normalized = true;
  w.selection.key = 4;
  CHECK(tensorOf(matrixPlane(w, config)) == "lens.pattern.L0H0.normalized.by_key_4");
  settings.stage = AttentionStage::Scores;
  CHECK(tensorOf(matrixPlane(w, config)) == "lens.scores.L0H0");
}

TEST_CASE("a step that shows scores shows those of its own block") {
  Workspace w = selected(1, 1);
  CHECK(tensorOf(headScores(w, config)) == "lens.scores.L1H1");
  const Step norm{.tensor = "blocks.2.ln1.hook_normalized", .layer = 2, .part = StepPart::Norm};
  CHECK(tensorOf(stepScores(w, norm, config)) == "lens.scores.L1H1");
  const Step scores{.tensor = stages::scores, .layer = 2, .part = StepPart::Attention};
  CHECK(tensorOf(stepScores(w, scores, config)) == "lens.scores.L2H1");
}
