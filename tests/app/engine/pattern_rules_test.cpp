#include "app/engine/pattern_rules.h"

#include <catch2/catch_test_macros.hpp>

#include "app/document/history.h"
#include "app/document/switches.h"
#include "app/document/training_commands.h"
#include "app/document/workspace_json.h"
#include "core/model/live_pass.h"
#include "tests/app/engine/followed_run.h"
#include "tests/app/engine/latest_for.h"

using namespace glassformer;

namespace {

bool looksAtFirst(const Snapshot& snapshot, const char* point, int head) {
  const TensorView pattern = (*snapshot.pass->trace)[point][head];
  for (int t = 0; t < pattern.extent[0]; ++t)
    if (pattern(t, 0) != 1) return false;
  return true;
}

}  // namespace

TEST_CASE("a hypothesis becomes the head's pattern in every text that is shown, decoded and compared") {
  Workspace workspace = initialWorkspace();
  workspace.text = "The dog was too tired.";
  workspace.aside = {"The cat sang and was old."};
  workspace.comparison = {OtherText{1}, ComparisonMode::SideBySide};
  workspace.view = "influence", workspace.settings.pictures["influence"] = "integrated";
  const auto plain = latestFor(workspace);
  commands::lookBy({1, 2, AttentionSite::Self}, "first").apply(workspace);
  const auto snapshot = latestFor(workspace);
  REQUIRE(snapshot->standing.error == "");
  const char* point = "blocks.1.attn.hook_pattern";
  CHECK_FALSE(looksAtFirst(*plain, point, 2));
  CHECK(looksAtFirst(*snapshot, point, 2));
  CHECK_FALSE(looksAtFirst(*snapshot, point, 1));
  CHECK(looksAtFirst(*snapshot->other, point, 2));
  // What is integrated is of the model as it is changed: it sums to what that model's logit changes by.
  REQUIRE(snapshot->kept.measured);
  const TensorView total = (*snapshot->kept.measured)["lens.integrated_total"];
  const auto [t, v] = snapshot->pass->predicted;
  CHECK(std::abs(total(0) - (*snapshot->pass->trace)["logits"](t, v)) < 1e-3f);
  workspace.comparison.with = Comparison::withoutInterventions;
  const auto against = latestFor(workspace);
  CHECK(looksAtFirst(*against, point, 2));
  CHECK_FALSE(looksAtFirst(*against->other, point, 2));
}

TEST_CASE("what cannot be read, or is of no head of the model, changes nothing") {
  Workspace workspace = initialWorkspace();
  const auto plain = latestFor(workspace);
  commands::lookBy({1, 2, AttentionSite::Self}, "key = foo").apply(workspace);
  commands::lookBy({40, 2, AttentionSite::Self}, "previous").apply(workspace);
  const auto snapshot = latestFor(workspace);
  CHECK(snapshot->standing.error == "");
  CHECK((*snapshot->pass->trace)["logits"].copy() == (*plain->pass->trace)["logits"].copy());
}

TEST_CASE("a rule is made once for a model, so that interventions stay the same") {
  const auto snapshot = latestFor(initialWorkspace());
  const ModelConfig& config = *snapshot->model->config;
  TextRules rules;
  const Interventions asked{patternReplaced({0, 1, AttentionSite::Self}, "previous"),
                            patternReplaced({0, 2, AttentionSite::Self}, "previous")};
  const Interventions first = rules.bound(asked, snapshot->model->tokenizer, config);
  REQUIRE(first[0].rule);
  REQUIRE(first[1].rule);
  CHECK(rules.bound(asked, snapshot->model->tokenizer, config) == first);
  rules.clear();
  CHECK(rules.bound(asked, snapshot->model->tokenizer, config) != first);
}

TEST_CASE(
    "a part held as at another step training only is what the weights of that step make of the same text") {
  FollowedRun followed(shortPlan(30));
  followed.training->finish();
  const ModelPart head{ModelPart::Kind::Head, 0, 1, AttentionSite::Self};
  const auto plain = followed.answer();
  REQUIRE(plain->pass->hasTrace());
  const RunVariant& side = plain->training->run->side;
  const int early = side.weights->steps().front();
  commands::toggleHeldAsAtStep(head, early).apply(followed.workspace);
  for (const char* text : {"ab>", "dcba>abc"}) {
    INFO(text);
    followed.workspace.text = text;
    const auto held = followed.answer();
    // By hand: the head's output at that step, in the newest model.
    const std::vector<int>& tokens = held->pass->trace->tokens();
    const auto then = LivePass(side.modelAt(early)).run(tokens);
    const std::string point = "blocks.0.attn.hook_z";
    const TensorView z = (*then)[point];
    Intervention byHand{.point = point, .kind = InterventionKind::Replace, .index = {-1, 1, -1, -1}};
    byHand.tensor = std::make_shared<const Tensor>(Tensor({z.extent[0], z.extent[1], z.extent[2]}, z.copy()));
    const auto newest = LivePass(side.modelAt(TrainingSettings::newest)).run(tokens, {byHand}),
               whole = LivePass(side.modelAt(TrainingSettings::newest)).run(tokens);
    CHECK((*held->pass->trace)["logits"].copy() == (*newest)["logits"].copy());
    CHECK((*held->pass->trace)["logits"].copy() != (*whole)["logits"].copy());
  }
  // Where the run is at that step itself it changes nothing.
  followed.workspace.settings.training.at = early;
  const auto same = followed.answer();
  const auto then = LivePass(side.modelAt(early)).run(same->pass->trace->tokens());
  CHECK((*same->pass->trace)["logits"].copy() == (*then)["logits"].copy());
  // A model that is not in training has no such step.
  Workspace elsewhere = initialWorkspace();
  const auto usual = latestFor(elsewhere);
  commands::toggleHeldAsAtStep(head, early).apply(elsewhere);
  CHECK((*latestFor(elsewhere)->pass->trace)["logits"].copy() == (*usual->pass->trace)["logits"].copy());
}

TEST_CASE("a part is held as at one step at most, let go by the same again, undone, and kept in sessions") {
  const ModelPart mlp{ModelPart::Kind::Mlp, 1, 0, AttentionSite::Self};
  History history(initialWorkspace());
  history.apply(commands::toggleHeldAsAtStep(mlp, 10), 1);
  history.apply(commands::toggleHeldAsAtStep(mlp, 20), 2);
  REQUIRE(history.current().interventions.size() == 1);
  CHECK(placeWords(history.current().interventions[0]) == "MLP of block 1 as at step 20");
  const auto again = workspaceFromJson(toJson(history.current()));
  REQUIRE(again);
  CHECK(again->interventions == history.current().interventions);
  history.apply(commands::toggleHeldAsAtStep(mlp, 20), 3);
  CHECK(history.current().interventions.empty());
  history.undo();
  CHECK(history.current().interventions[0].step == 20);
}
