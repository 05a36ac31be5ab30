#include "app/engine/head_profile.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "app/document/attention_planes.h"
#include "app/document/neuron_settings.h"
#include "app/document/rule_settings.h"
#include "app/document/training_commands.h"
#include "app/document/view_commands.h"
#include "app/engine/pattern_rules.h"
#include "app/engine/rule_numbers.h"
#include "tests/app/engine/first_told.h"
#include "tests/app/engine/followed_run.h"
#include "tests/app/engine/latest_for.h"

using namespace glassformer;

TEST_CASE("of a head the page tells what fits it, what that recovers, and where it looks least evenly") {
  Workspace workspace = initialWorkspace();
  workspace.text = "The dog was too tired. The";
  workspace.aside.clear(), workspace.tab = 0;
  workspace.settings.choose(neuronCorpus, corpusOfTabs);
  workspace.selection.layer = 2, workspace.selection.head = 1;
  commands::testRule("induction").apply(workspace);
  const auto bench = latestFor(workspace);
  commands::choosePicture("attention", "biography").apply(workspace);
  const auto page = latestFor(workspace);
  REQUIRE(page->kept.measured);
  const TensorSet& told = *page->kept.measured;
  for (int i = 0; i < told[bench::named].extent[0]; ++i) {
    const float here = told[bench::named](i), there = (*bench->kept.measured)[bench::named](i);
    CHECK((here == there || (std::isnan(here) && std::isnan(there))));
  }
  const int any = static_cast<int>(benchRules().size()) - 1;
  CHECK(told[bench::own](0) == told[bench::named](any));
  // All that says something is put in its place, and evenness brings nothing back.
  REQUIRE(told[bench::own](2) >= RecoveredLoss::leastWorth);
  for (int i = 0; i <= any; ++i)
    CHECK(std::isfinite(told[bench::namedRecovered](i)) == std::isfinite(told[bench::named](i)));
  CHECK(std::abs(told[bench::namedRecovered](any)) < 1e-4f);
  // Where it looks least evenly one key has more than its share.
  const TensorView row = told[bench::attention], said = told[bench::said];
  float most = 0, even = 0;
  for (int key = 0; key < row.extent[1] && std::isfinite(row(0, key)); ++key)
    most = std::max(most, row(0, key)), even = std::max(even, said(0, key));
  CHECK(most > even);
  CHECK_FALSE(told.contains(biography::steps));  // it is not in training
}

TEST_CASE("a hypothesis forms where a head comes to share more than half of it, and stays there") {
  using biography::whereFormed;
  CHECK(whereFormed({0.1f, 0.1f, 0.2f, 0.7f, 0.9f, 0.9f}) == 3);
  CHECK(whereFormed({0.1f, 0.8f, 0.1f, 0.4f, 0.6f, 0.9f}) == 4);  // the first time it was lost again
  CHECK_FALSE(whereFormed({0.5f, 0.6f, 0.65f}));                  // there from the start
  CHECK_FALSE(whereFormed({0.9f, 0.5f, 0.1f}));                   // lost
  CHECK_FALSE(whereFormed({0.1f, NAN, 0.9f}));                    // not known throughout
  CHECK_FALSE(whereFormed({}));
}

TEST_CASE("of a head in training the page tells how it came about, from the weights that are kept") {
  FollowedRun followed(shortPlan(30));
  followed.training->finish();
  Workspace& workspace = followed.workspace;
  commands::sayRule("pairs {2:0, 3:1, 4:2}").apply(workspace);
  commands::choosePicture("attention", "biography").apply(workspace);
  const auto page = followed.answer();
  REQUIRE(page->kept.missing == "");
  REQUIRE(page->kept.measured);
  const TensorSet& told = *page->kept.measured;
  REQUIRE(told.contains(biography::agreement));
  const TensorView steps = told[biography::steps], agreement = told[biography::agreement];
  const RunVariant& side = *page->training->side;
  CHECK(agreement.extent[0] == static_cast<int>(benchRules().size()) + 1);
  CHECK(agreement.extent[1] == steps.extent[0]);
  CHECK(steps.extent[0] == std::min(static_cast<int>(side.weights->steps().size()), HeadHistory::mostSteps));
  const TensorView formed = told[biography::formed], before = told[biography::before];
  for (int h = 0; h < agreement.extent[0]; ++h) {
    const float* const line = &agreement(h, 0);
    const auto at = biography::whereFormed({line, line + agreement.extent[1]});
    CHECK(std::isfinite(formed(h)) == at.has_value());
    if (at) CHECK((formed(h) == steps(*at) && before(h) == steps(*at - 1)));
  }
  CHECK(steps(0) == 0);
  CHECK(steps(steps.extent[0] - 1) == 30);
  // Asked once more, of the weights after one of these steps.
  const int column = steps.extent[0] / 2;
  const auto model = side.modelAt(static_cast<int>(steps(column)));
  const HeadId head = selectedHead(workspace, model->config());
  const auto& tokenizer = page->training->run->tokenizer;
  RuleScores scores(*AttentionRule::read("pairs {2:0, 3:1, 4:2}"), model->config());
  LivePass live(model);
  const auto texts = heldOutTexts(*page->training->run->task, 1, fewTexts);
  for (int i = 0; i < HeadHistory::textsOfThePast; ++i) {
    const auto trace = live.run(texts[static_cast<std::size_t>(i)].tokens, {}, {});
    scores.add(*trace, lookedOverBy(*wordingOf(tokenizer), model->config(), *trace), i);
  }
  CHECK(std::abs(agreement(agreement.extent[0] - 1, column) -
                 static_cast<float>(scores.of(head).shared().mean())) < 1e-5f);
  // Every view goes back, and the page stays.
  commands::showStepOfRun(7).apply(workspace);
  const auto then = followed.answer();
  CHECK(then->training->step == 7);
  const std::vector<float> still = (*then->kept.measured)[biography::agreement].copy(),
                           was = agreement.copy();
  CHECK(std::ranges::equal(still, was, [](float a, float b) {
    return a == b || (std::isnan(a) && std::isnan(b));  // what says nothing of these texts
  }));
}

TEST_CASE("what is known of a head is told after the first texts") {
  Workspace workspace = initialWorkspace();
  commands::choosePicture("attention", "biography").apply(workspace);
  FirstTold first(workspace);
  ProfiledRules page(1);
  const int asked =
      first.askedBefore(page, [](const TensorSet& told) { return std::isfinite(told[bench::named](0)); });
  REQUIRE(asked > 0);
  CHECK(asked <= 16);
}
