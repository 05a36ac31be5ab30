#include "app/views/steps/whole_picture.h"

#include <algorithm>

#include "tests/app/views/held_to_numbers.h"
#include "tests/app/views/seen_picture.h"

using namespace glassformer;

namespace {

Workspace wholeModel() {
  Workspace workspace = openedOn("step", "whole");
  workspace.text = "The animal didn't cross the street.";
  return workspace;
}

struct WholeSeen {
  explicit WholeSeen(Workspace of, std::shared_ptr<const Snapshot> seen = nullptr, Point size = {1296, 872})
      : workspace(std::move(of)), snapshot(seen ? std::move(seen) : snapshotOf(workspace)) {
    const SceneInput input{workspace, *snapshot, size, theme, metrics, {}};
    scene = viewOf("step").scene(input);
    const ViewCase view{"whole", input, scene};
    checkNumbers(view), checkTexts(view);
  }
  const HitRegion& hit(const std::string& name) const {
    const auto found = std::ranges::find(scene.hits, name, &HitRegion::name);
    INFO(name);
    REQUIRE(found != scene.hits.end());
    return *found;
  }
  Workspace clicked(const std::string& name) const {
    Workspace after = workspace;
    const HitRegion& region = hit(name);
    region.click(targetAt(region, region.box.center())).apply(after);
    return after;
  }
  template <typename Kind, typename Counts>
  long count(Counts counts) const {
    return std::ranges::count_if(scene.shapes, [&](const Shape& shape) {
      const auto* of = std::get_if<Kind>(&shape);
      return of && counts(*of);
    });
  }

  Workspace workspace;
  std::shared_ptr<const Snapshot> snapshot;
  PlainMetrics metrics;
  Theme theme = darkTheme();
  Scene scene;
};

}  // namespace

TEST_CASE("the whole model has every head's pattern, every MLP and the stream of every token") {
  const WholeSeen seen(wholeModel());
  const int tokens = seen.snapshot->pass->trace->tokenCount();
  for (int layer = 0; layer < 3; ++layer) {
    const std::string block = "blocks." + std::to_string(layer);
    for (int head = 0; head < 4; ++head)
      CHECK(seen.count<Matrix>([&](const Matrix& matrix) {
        return matrix.values.tensor == block + ".attn.hook_pattern" && matrix.values.index[0] == head;
      }) == 1);
    CHECK(seen.count<Matrix>(
              [&](const Matrix& matrix) { return matrix.values.tensor == block + ".mlp.hook_post"; }) == 1);
  }
  CHECK(seen.count<Ribbon>([](const Ribbon&) { return true; }) == tokens * (1 + 2 * 3));
  CHECK(seen.count<Bar>([](const Bar& bar) { return bar.value.tensor == "lens.next_token"; }) == 8);
}

TEST_CASE("a click on a part of the whole model opens it") {
  const WholeSeen seen(wholeModel());
  const Workspace head = seen.clicked("head L1H3");
  CHECK(head.view == "attention");
  CHECK(head.selection.layer == 1);
  CHECK(head.selection.head == 3);
  const Workspace mlp = seen.clicked("MLP 2");
  CHECK(mlp.step == "blocks.2.mlp.hook_post");
  CHECK(mlp.settings.pictures.at("step") == "equation");
  const Workspace block = seen.clicked("block 1");
  CHECK(block.selection.layer == 1);
  CHECK(block.settings.pictures.at("step") == "walk");
  CHECK(seen.clicked("words in").selection.query >= 0);
  Workspace first = seen.workspace;
  const HitRegion& words = seen.hit("words in");
  words.click(targetAt(words, {words.box.x + 1, words.box.y + 1})).apply(first);
  CHECK(first.selection.query == 0);
}

TEST_CASE("a model that reads a source has the attention of both kinds, and its encoder a page of its own") {
  const FamilyMember member = familyMembers().front();
  Workspace workspace = openedOn("step", "whole");
  workspace.text = member.text, workspace.source = member.source;
  const auto patterns = [](const WholeSeen& seen, const std::string& name) {
    return seen.count<Matrix>([&](const Matrix& matrix) { return matrix.values.tensor == name; });
  };
  const WholeSeen decoder(workspace, withMember(member)(workspace));
  CHECK(patterns(decoder, "decoder.1.attn.hook_pattern") == 4);
  CHECK(patterns(decoder, "decoder.1.cross_attn.hook_pattern") == 4);
  CHECK(patterns(decoder, "encoder.1.attn.hook_pattern") == 0);
  workspace.selection.site = AttentionSite::Encoder;
  const WholeSeen encoder(workspace, withMember(member)(workspace));
  CHECK(encoder.scene.title == "The whole encoder");
  CHECK(patterns(encoder, "encoder.1.attn.hook_pattern") == 4);
  CHECK(patterns(encoder, "decoder.1.attn.hook_pattern") == 0);
}

TEST_CASE("a long text's stream is a map of colours, and a model of many heads has them all") {
  Workspace workspace = wholeModel();
  for (int i = 0; i < 12; ++i) workspace.text += " The animal didn't cross the street.";
  const WholeSeen seen(workspace, snapshotOf(workspace, 12, 12), {656, 512});
  CHECK(seen.count<Ribbon>([](const Ribbon&) { return true; }) == 0);
  CHECK(seen.count<Matrix>(
            [](const Matrix& matrix) { return matrix.values.tensor == "lens.residual_norm"; }) == 1);
  CHECK(seen.count<Matrix>(
            [](const Matrix& matrix) { return matrix.values.tensor.ends_with("hook_pattern"); }) == 144);
}
