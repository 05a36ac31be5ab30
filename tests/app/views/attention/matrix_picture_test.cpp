#include "app/views/attention/matrix_picture.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "app/views/views.h"
#include "core/model/memory_need.h"
#include "core/model/pass_limit.h"
#include "tests/app/views/seen_picture.h"
#include "tests/core/model/family_members.h"

using namespace glassformer;

TEST_CASE("attention across is drawn from the target's tokens to the source's") {
  const FamilyMember member = familyMembers().front();
  Workspace workspace;
  workspace.text = member.text, workspace.source = member.source;
  workspace.selection.site = AttentionSite::Cross, workspace.selection.layer = 1,
  workspace.selection.head = 3;
  const auto snapshot = withMember(member)(workspace);
  const int T = snapshot->pass->countOf(Stream::Text), S = snapshot->pass->countOf(Stream::Source);
  REQUIRE(T != S);
  CHECK(snapshot->pass->tokens.front().label ==
        snapshot->model->entryLabel(snapshot->pass->tokens.front().id));
  const PlainMetrics metrics;
  const Theme theme = darkTheme();
  Target pointed;
  pointed.token = 2, pointed.tokens = Stream::Source;  // in the source's field
  const SceneInput input{workspace, *snapshot, {1296, 872}, theme, metrics, pointed};
  const Scene scene = viewOf("attention").scene(input);
  const Matrix* large = nullptr;
  for (const Shape& shape : scene.shapes)
    if (const auto* matrix = std::get_if<Matrix>(&shape))
      if (!large || matrix->box.width > large->box.width) large = matrix;
  REQUIRE(large);
  CHECK(large->values.tensor == "decoder.1.cross_attn.hook_pattern");
  const auto cells = plane(scene.sources, large->values);
  CHECK(cells->extent[0] == T);
  CHECK(cells->extent[1] == S);
  CHECK_FALSE(large->mask);
  const auto words = [&](const std::string& label, Rgba color) {
    return std::any_of(scene.shapes.begin(), scene.shapes.end(), [&](const Shape& shape) {
      const auto* text = std::get_if<Text>(&shape);
      return text && text->text == label && text->at.y < large->box.y && text->style.color == color;
    });
  };
  CHECK(words(snapshot->pass->sourceTokens[2].label, theme.text));
  CHECK(words(snapshot->pass->sourceTokens[1].label, theme.quiet));
  const auto hit = std::find_if(scene.hits.begin(), scene.hits.end(),
                                [](const HitRegion& region) { return region.name == "attention"; });
  REQUIRE(hit != scene.hits.end());
  const Target corner = targetAt(*hit, {hit->box.right() - 1, hit->box.bottom() - 1});
  CHECK(corner.query == T - 1);
  CHECK(corner.key == S - 1);
  CHECK(corner.queries == Stream::Text);
  CHECK(corner.keys == Stream::Source);
  Workspace clicked = workspace;
  hit->click(corner).apply(clicked);
  CHECK(clicked.selection.query == T - 1);
  CHECK(clicked.selection.source == S - 1);
  CHECK(clicked.selection.key == -1);
}

TEST_CASE("of a pass that drops its squares, the window waits for nothing, and what is looked at follows") {
  const auto small = makeSmallModel("small", 3, 2, 200);
  const double usual = passLimit();
  setPassLimit(passBytes(small.transformer->config(), 1, 200).all() - 1);
  Workspace workspace;
  workspace.selection.layer = 1;
  for (int i = 0; i < 30; ++i) workspace.text += "The animal didn't cross the street. ";
  Engine engine(
      [](const std::string& name, const ProgressCallback&) -> Result<LoadedModel> {
        return makeSmallModel(name, 3, 2, 200);
      },
      [] {}, neededFor);
  engine.request(workspace, 1);
  engine.finish();
  const auto before = engine.latest();
  REQUIRE(before->memory.dropsSquares);
  const Trace& trace = *before->pass->trace;
  const auto isMade = [&](int layer) {
    return trace.isMade(trace.find("blocks." + std::to_string(layer) + ".attn.hook_pattern"));
  };
  const auto largeIn = [&](const Snapshot& snapshot) -> std::string {
    const PlainMetrics metrics;
    const Theme theme = darkTheme();
    const Scene scene = viewOf("attention").scene({workspace, snapshot, {1296, 872}, theme, metrics, {}});
    for (const Shape& shape : scene.shapes)
      if (const auto* matrix = std::get_if<Matrix>(&shape); matrix && matrix->box.width > 300)
        return matrix->values.tensor;
    for (const Shape& shape : scene.shapes)
      if (const auto* text = std::get_if<Text>(&shape); text && text->text == "Measuring …")
        return text->text;
    return "";
  };
  CHECK(largeIn(*before) == "blocks.1.attn.hook_pattern");
  workspace.selection.layer = 2;
  CHECK_FALSE(isMade(2));
  CHECK(largeIn(*before) == "Measuring …");
  CHECK_FALSE(isMade(2));
  engine.request(workspace, 2);
  engine.finish();
  setPassLimit(usual);
  const auto after = engine.latest();
  CHECK(isMade(2));
  CHECK(largeIn(*after) == "blocks.2.attn.hook_pattern");
  // What no selection changes is not measured again.
  const auto overview = [](const Snapshot& s) {
    return (*s.pass->measurements)["lens.pattern_overview"].data;
  };
  CHECK(overview(*before) == overview(*after));
}

TEST_CASE("where labels are thinned out, that of the key which the chosen query looks at most stays") {
  Workspace workspace = openedOn("attention", "matrix");
  for (int i = 0; i < 7; ++i)
    workspace.text += " The animal did not cross the street because it was too tired.";
  int checked = 0;
  for (int query = 60; query < 80; query += 3) {
    workspace.selection.query = query;
    const SeenPicture seen(workspace, {}, {900, 520});
    const TensorView pattern = (*seen.snapshot->pass->trace)["blocks.0.attn.hook_pattern"];
    int strongest = 0, labels = 0;
    for (int key = 1; key < pattern.extent[2]; ++key)
      if (pattern(0, query, key) > pattern(0, query, strongest)) strongest = key;
    const std::string& label = seen.snapshot->pass->tokens[static_cast<std::size_t>(strongest)].label;
    bool isLabelled = false;
    for (const Shape& shape : seen.scene.shapes)
      if (const auto* text = std::get_if<Text>(&shape); text && text->horizontal == Align::Middle) {
        ++labels;
        isLabelled |= text->text == label && text->style.color == darkTheme().text;
      }
    INFO(query << " " << strongest << " " << label);
    CHECK(labels < pattern.extent[2] / 2);
    CHECK(isLabelled);
    ++checked;
  }
  CHECK(checked == 7);
}
