#include "app/engine/head_detector.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>

#include "app/document/attention_planes.h"
#include "app/document/model_commands.h"
#include "app/document/neuron_settings.h"
#include "app/document/rule_settings.h"
#include "app/document/selection_commands.h"
#include "app/engine/corpus.h"
#include "app/engine/painted_pairs.h"
#include "app/engine/pattern_rules.h"
#include "app/engine/rule_numbers.h"
#include "core/train/training_task.h"
#include "tests/app/engine/latest_for.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

Workspace benchOf(const std::string& model, const std::string& rule) {
  Workspace workspace = initialWorkspace();
  commands::setModel(model).apply(workspace);
  commands::testRule(rule).apply(workspace);
  return workspace;
}

// The lines of the open text, which take less time.
Workspace benchOnLines(const std::string& rule) {
  Workspace workspace = benchOf("stories", rule);
  workspace.text = "The dog was too tired. The dog slept.\nOnce there was a cat. The cat was old.";
  workspace.aside.clear(), workspace.tab = 0;
  workspace.settings.choose(neuronCorpus, corpusOfTabs);
  return workspace;
}

TensorView of(const Snapshot& snapshot, const char* tensor) { return (*snapshot.kept.measured)[tensor]; }

}  // namespace

TEST_CASE("every head is held against a hypothesis on the task's own texts, as the command line does") {
  for (const char* model : {"induction", "translate"}) {
    INFO(model);
    const auto snapshot = latestFor(benchOf(model, "previous"));
    REQUIRE(snapshot->kept.missing == "");
    REQUIRE(snapshot->kept.measured);
    const ModelLibrary library(SOURCE_FOLDER "/build");
    const LoadedModel loaded = *library.load(model);
    const ModelConfig& config = loaded.transformer->config();
    const auto texts =
        taskTexts(makeTask(loaded.origin).get(), *loaded.tokenizer, config, model, 1, fewTexts);
    REQUIRE(texts);
    RuleScores scores(*AttentionRule::read("previous"), config);
    LivePass live(loaded.transformer);
    for (int i = 0; i < fewTexts; ++i) {
      const TokenText& text = (*texts)[static_cast<std::size_t>(i)];
      const auto trace = live.run(text.tokens, {}, text.source);
      scores.add(*trace, lookedOverBy(*wordingOf(loaded.tokenizer), config, *trace), i);
    }
    const TensorView agreement = of(*snapshot, bench::agreement);
    CHECK(agreement.extent[0] == static_cast<int>(sitesOf(config).size()) * config.layers);
    for (const HeadId head : scores.ranked())
      CHECK(std::abs(agreement(benchRow(config, head), head.head) -
                     static_cast<float>(scores.of(head).shared().mean())) < 1e-5f);
    const HeadId selected = selectedHead(benchOf(model, ""), config);
    const auto worst = scores.worstFirst(selected, HeadDetector::examplesKept);
    const TensorView example = of(*snapshot, bench::example), query = of(*snapshot, bench::query);
    REQUIRE(example.extent[0] == static_cast<int>(worst.size()));
    const auto bins = scores.distribution(selected);
    for (std::size_t i = 0; i < worst.size(); ++i)
      CHECK(std::abs(example(static_cast<int>(i)) - worst[i].agreement) < 1e-5f);
    for (int bin = 0; bin < agreementBins; ++bin)
      CHECK(of(*snapshot, bench::distribution)(bin) ==
            static_cast<float>(bins[static_cast<std::size_t>(bin)]));
    // The row where both differ most: what both share there is no more than anywhere else.
    const TensorView attention = of(*snapshot, bench::attention), said = of(*snapshot, bench::said);
    float shared = 0, sum = 0;
    for (int key = 0; key < attention.extent[1] && std::isfinite(attention(0, key)); ++key)
      shared += std::min(attention(0, key), said(0, key)), sum += attention(0, key);
    CHECK(std::abs(sum - 1) < 1e-4f);
    CHECK(shared <= example(0) + 1e-5f);
    CHECK(query(0) >= 0);
    CHECK(of(*snapshot, bench::read)(0) == fewTexts);
  }
}

TEST_CASE(
    "what a hypothesis brings back is measured of the selected head, and of all where it is asked for") {
  Workspace workspace = benchOnLines("previous");
  const ModelLibrary library(SOURCE_FOLDER "/build");
  const LoadedModel loaded = *library.load("stories");
  const ModelConfig& config = loaded.transformer->config();
  const auto lossOf = [&](HeadId head, const char* rule) {
    RecoveredLoss loss(head, *AttentionRule::read(rule), wordingOf(loaded.tokenizer), config);
    LivePass live(loaded.transformer);
    LossBaselines baselines;
    for (const TabText& line : linesOf({TabText(workspace.text)}, false)) {
      const TokenText text = readBy(*loaded.tokenizer, config, line);
      loss.add(live, text.tokens, {}, loss.texts(), baselines);
    }
    return loss;
  };
  const auto one = latestFor(workspace);
  const HeadId selected = selectedHead(workspace, config);
  const RecoveredLoss own = lossOf(selected, "previous");
  CHECK(std::abs(of(*one, bench::own)(2) - static_cast<float>(own.ablated() - own.clean())) < 1e-4f);
  int known = 0;
  const TensorView few = of(*one, bench::worth);
  for (int row = 0; row < few.extent[0]; ++row)
    for (int head = 0; head < few.extent[1]; ++head) known += std::isfinite(few(row, head)) ? 1 : 0;
  CHECK(known == 1);
  workspace.settings.choose(benchNumber, benchRecovered);
  const auto all = latestFor(workspace);
  const TensorView worth = of(*all, bench::worth), recovered = of(*all, bench::recovered);
  for (const HeadId head : {HeadId{0, 1}, HeadId{2, 0}, HeadId{3, 3}}) {
    const RecoveredLoss loss = lossOf(head, "previous");
    CHECK(std::abs(worth(head.layer, head.head) - static_cast<float>(loss.ablated() - loss.clean())) < 1e-4f);
    if (std::isfinite(recovered(head.layer, head.head)))
      CHECK(std::abs(recovered(head.layer, head.head) / static_cast<float>(loss.recovered()) - 1) < 1e-2f);
  }
  // What has a name, in the selected head's place: all of the evenness comes back with "any", which is none.
  const TensorView named = of(*all, bench::namedRecovered);
  const int any = static_cast<int>(benchRules().size()) - 1;
  CHECK(benchRules().back().id == "any");
  if (own.ablated() - own.clean() >= RecoveredLoss::leastWorth) CHECK(std::abs(named(any)) < 1e-4f);
}

TEST_CASE("another head or hypothesis is told of from texts that were read already") {
  Answering computed;
  Workspace workspace = benchOnLines("induction");
  const auto first = computed(workspace);
  const std::vector<float> induction = of(*first, bench::agreement).copy();
  commands::selectHead(2, 0).apply(workspace);
  const auto other = computed(workspace);
  CHECK(of(*other, bench::agreement).copy() == induction);
  CHECK(of(*other, bench::own)(0) == of(*other, bench::agreement)(2, 0));
  CHECK(of(*other, bench::distribution).copy() != std::vector<float>(agreementBins));
  commands::sayRule("pairs {1:0, 2:1, 3:2}").apply(workspace);
  const auto mixed = computed(workspace);
  CHECK(of(*mixed, bench::agreement).copy() != induction);
  CHECK(of(*mixed, bench::named)(1) == induction[2 * 4]);  // the stock stays beside it
  commands::sayRule("induction").apply(workspace);
  CHECK(of(*computed(workspace), bench::agreement).copy() == induction);
  commands::sayRule(" current ").apply(workspace);
  CHECK(of(*computed(workspace), bench::own)(0) > 0);
  commands::sayRule(" ").apply(workspace);
  CHECK(of(*computed(workspace), bench::own)(0) > 0);
  commands::sayRule("key = foo").apply(workspace);
  CHECK_THAT(computed(workspace)->kept.missing,
             ContainsSubstring("“key = foo” is not an attention rule") && ContainsSubstring("induction"));
}

TEST_CASE("what is painted is held against the head and against what has a name") {
  Workspace workspace = initialWorkspace();
  workspace.text = "The dog was too tired. The";
  commands::paintRule(true).apply(workspace);
  commands::paintPairs({{2, 1}, {3, 2}, {5, 4}}, true).apply(workspace);
  CHECK(workspace.rule == "pairs {2:1, 3:2, 5:4}");
  const auto snapshot = latestFor(workspace);
  REQUIRE(snapshot->pass->measurements->contains(paintedPairs::likeness));
  const TensorView likeness = (*snapshot->pass->measurements)[paintedPairs::likeness];
  CHECK(benchRules().front().id == "previous");
  CHECK(likeness(0) == 1);  // these are what it says of these rows
  CHECK(likeness(4) == 0);  // "itself" says none of them
  const HeadId head = selectedHead(workspace, *snapshot->model->config);
  const TensorView pattern =
      (*snapshot->pass->trace)[attentionPoint(head.layer, head.site, "hook_pattern")][head.head];
  const float shared = (pattern(2, 1) + pattern(3, 2) + pattern(5, 4)) / 3;
  CHECK(std::abs((*snapshot->pass->measurements)[paintedPairs::agreement](0) - shared) < 1e-6f);
  commands::paintPairs({{3, 2}}, false).apply(workspace);
  CHECK(workspace.rule == "pairs {2:1, 5:4}");
  commands::paintPairs({{2, 1}, {5, 4}}, false).apply(workspace);
  CHECK(workspace.rule.empty());
  CHECK(ruleAsked(workspace) == "previous");
}
