#include "app/engine/snapshot.h"

#include <catch2/catch_test_macros.hpp>

#include "app/views/views.h"
#include "tests/small_model.h"

using namespace glassformer;

namespace {

struct AskedEngine {
  Engine engine{[](const std::string& name, const ProgressCallback&) -> Result<LoadedModel> {
                  return makeSmallModel(name, 2, 2, 128);
                },
                [] {}, neededFor};
  std::uint64_t revision = 0;

  std::shared_ptr<const Snapshot> answer(const Workspace& workspace) {
    engine.request(workspace, ++revision);
    engine.finish();
    return engine.latest();
  }
};

}  // namespace

TEST_CASE("a snapshot of nothing has every part, and another part leaves the others as they are") {
  const Snapshot nothing;
  CHECK_FALSE(nothing.model->config);
  CHECK_FALSE(nothing.pass->hasTrace());
  CHECK_FALSE(nothing.isDecoded());
  CHECK(nothing.positionOr(-1, Stream::Text) == -1);
  const auto kept = with(nothing, &Snapshot::kept, {nullptr, "no reason"});
  CHECK(kept->kept.missing == "no reason");
  CHECK(kept->pass == nothing.pass);
  CHECK(nothing.kept.missing.empty());
}

TEST_CASE("the snapshots of two texts share their model, and their difference has a pass of its own") {
  AskedEngine asked;
  Workspace workspace = initialWorkspace();
  workspace.aside = {"The animal was too wide."};
  workspace.comparison = {OtherText{workspace.tab == 0 ? 1 : 0}, ComparisonMode::Difference};
  const auto snapshot = asked.answer(workspace);
  REQUIRE(snapshot->difference);
  CHECK(snapshot->other->model == snapshot->model);
  CHECK(snapshot->difference->model == snapshot->model);
  CHECK(snapshot->other->pass->text == "The animal was too wide.");
  CHECK(snapshot->difference->sides->b->pass == snapshot->other->pass);
  CHECK(snapshot->difference->pass != snapshot->pass);
  // Both are decoded; of the difference there is what both trees have in common.
  CHECK(snapshot->isDecoded());
  CHECK(snapshot->other->isDecoded());
  CHECK_FALSE(snapshot->difference->isDecoded());
  CHECK(snapshot->difference->decoded->beams->a == snapshot->decoded->beam);
  CHECK(snapshot->difference->decoded->beams->b == snapshot->other->decoded->beam);
}

TEST_CASE("two models are subtracted where their passes have the same points, and only there") {
  AskedEngine asked;
  Workspace workspace = initialWorkspace();
  workspace.comparison = {Comparison::asLoaded, ComparisonMode::Difference};
  const auto subtracted = [&](const ModelChanges& changes) {
    workspace.changes = changes;
    const auto snapshot = asked.answer(workspace);
    REQUIRE(snapshot->other);
    return snapshot->difference != nullptr;
  };
  CHECK(subtracted({{"scale_attn_weights", "no"}}));
  CHECK(subtracted({{"norm", "rms"}}));
  CHECK_FALSE(subtracted({{"qk_norm", "yes"}}));                     // blocks.0.attn.q_norm.hook_normalized
  CHECK_FALSE(subtracted({{"position_embedding_type", "rotary"}}));  // hook_rot_q
  CHECK_FALSE(subtracted({{"parallel_residual", "yes"}}));           // no hook_resid_mid
}

TEST_CASE("another picture of the same text computes no part anew") {
  AskedEngine asked;
  Workspace workspace = initialWorkspace();
  const auto before = asked.answer(workspace);
  workspace.look.dark = !workspace.look.dark;
  const auto after = asked.answer(workspace);
  CHECK(after->revision > before->revision);
  CHECK(after->model == before->model);
  CHECK(after->pass == before->pass);
  CHECK(*after->decoded == *before->decoded);
}

TEST_CASE("what is decoded belongs to the text that it was made of") {
  AskedEngine asked;
  Snapshot snapshot = *asked.answer(initialWorkspace());
  REQUIRE(snapshot.isDecoded());
  ShownPass pass = *snapshot.pass;
  pass.text += " ";
  snapshot.pass = std::make_shared<const ShownPass>(pass);
  CHECK_FALSE(snapshot.isDecoded());
}
