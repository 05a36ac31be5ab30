#include "app/engine/pattern_rules.h"

#include <catch2/catch_test_macros.hpp>

#include "app/document/switches.h"
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
  workspace.comparison = {OtherText{1}, ComparisonView::SideBySide};
  workspace.view = "influence", workspace.settings.pictures["influence"] = "integrated";
  const auto plain = latestFor(workspace);
  commands::lookBy({1, 2, AttentionSite::Only}, "key = 0").apply(workspace);
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
  commands::lookBy({1, 2, AttentionSite::Only}, "key = foo").apply(workspace);
  commands::lookBy({40, 2, AttentionSite::Only}, "previous").apply(workspace);
  const auto snapshot = latestFor(workspace);
  CHECK(snapshot->standing.error == "");
  CHECK((*snapshot->pass->trace)["logits"].copy() == (*plain->pass->trace)["logits"].copy());
}

TEST_CASE("a rule is made once for a model, so that interventions stay the same") {
  const auto snapshot = latestFor(initialWorkspace());
  const ModelConfig& config = *snapshot->model->config;
  PatternRules rules;
  const Interventions asked{patternReplaced({0, 1, AttentionSite::Only}, "previous"),
                            patternReplaced({0, 2, AttentionSite::Only}, "previous")};
  const Interventions first = rules.bound(asked, snapshot->model->tokenizer, config);
  REQUIRE(first[0].rule);
  REQUIRE(first[1].rule);
  CHECK(rules.bound(asked, snapshot->model->tokenizer, config) == first);
  rules.clear();
  CHECK(rules.bound(asked, snapshot->model->tokenizer, config) != first);
}
