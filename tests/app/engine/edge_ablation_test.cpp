#include "app/engine/edges_here.h"

#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <cmath>
#include <numeric>

#include "app/document/attribution_settings.h"
#include "app/document/edge_settings.h"
#include "app/document/model_commands.h"
#include "app/document/neuron_settings.h"
#include "app/document/tabs.h"
#include "app/document/view_commands.h"
#include "app/engine/corpus.h"
#include "core/lens/ablation.h"
#include "tests/app/engine/latest_for.h"

using namespace glassformer;
using Catch::Approx;

TEST_CASE("what edges do over many texts is the mean and spread of what leaving out does to each") {
  Workspace workspace = initialWorkspace();
  workspace.text = "The dog was tired.\nThe cat was old.\nAnna says";
  workspace.aside.clear(), workspace.tab = 0;
  workspace.settings.choose(neuronCorpus, corpusOfTabs);
  workspace.settings.choose(edgeThreshold, "0.1");
  workspace.settings.choose(edgeTexts, firstEdgeTexts);
  commands::choosePicture("influence", "edges").apply(workspace);
  const auto snapshot = latestFor(workspace);
  REQUIRE(snapshot->kept.measured);
  const TensorSet& told = *snapshot->kept.measured;
  const auto& model = snapshot->model->transformer;
  const ModelEdges edges = edgesOf(*model);
  LivePass live(model);
  std::vector<Tensor> alone;
  for (const TabText& line : linesOf({TabText(workspace.text)}, false)) {
    const auto text = readBy(*snapshot->model->tokenizer, model->config(), line);
    const auto trace = live.run(text.tokens, {});
    alone.push_back(*leaveOutEdges(live, edges, *trace, {}));
  }
  REQUIRE(alone.size() == 3);
  const Tensor here = *leaveOutEdges(live, edges, *snapshot->pass->trace, {});
  for (int s = 0; s < static_cast<int>(edges.senders.size()); ++s)
    for (int r = 0; r < static_cast<int>(edges.receivers.size()); ++r) {
      if (!std::isfinite(here.view()(s, r))) {
        CHECK(std::isnan(told[edge::mean](s, r)));
        continue;
      }
      Spread spread;
      float often = 0;
      for (const Tensor& text : alone)
        spread.add(static_cast<double>(text.view()(s, r))), often += std::abs(text.view()(s, r)) >= 0.1f;
      CHECK(told[edge::mean](s, r) == Approx(spread.mean()).margin(1e-5));
      CHECK(told[edge::spread](s, r) == Approx(spread.deviation()).margin(1e-5));
      CHECK(told[edge::here](s, r) == Approx(here.view()(s, r)).margin(1e-5));
      CHECK(told[edge::often](s, r) == Approx(often / 3));
    }
  // What the edges of at least 0.1 nats on average alone make of the open text.
  const auto graph = passOfEdges(live, edges, *snapshot->pass->trace, {}, [&](std::size_t s, std::size_t r) {
    return std::abs(told[edge::mean](static_cast<int>(s), static_cast<int>(r))) >= 0.1f;
  });
  const Reproduced graphAlone = reproducedBy(model->config(), *snapshot->pass->trace, *graph);
  CHECK(told[edge::alone](0) == Approx(graphAlone.told).margin(1e-4));
  CHECK(told[edge::alone](1) == Approx(graphAlone.answers));
  for (int i = 1; i < told[edge::sender].extent[0]; ++i) {
    const auto mean = [&](int at) {
      return std::abs(told[edge::mean](static_cast<int>(told[edge::sender](at)),
                                       static_cast<int>(told[edge::receiver](at))));
    };
    CHECK(mean(i) <= mean(i - 1));
  }
}

TEST_CASE("what a model that fills gaps says in them moves without an edge as in each text alone") {
  Workspace workspace = initialWorkspace();
  workspace.model = "fill";
  workspace.text = "The dog was <|mask|>.\nThe <|mask|> says that";
  workspace.aside.clear(), workspace.tab = 0;
  workspace.settings.choose(neuronCorpus, corpusOfTabs);
  workspace.settings.choose(edgeTexts, firstEdgeTexts);
  commands::choosePicture("influence", "edges").apply(workspace);
  const auto snapshot = latestFor(workspace);
  REQUIRE(snapshot->kept.measured);
  const TensorSet& told = *snapshot->kept.measured;
  const auto& model = snapshot->model->transformer;
  const ModelEdges edges = edgesOf(*model);
  LivePass live(model);
  // One edge, each text by itself: KL(p ‖ p without) in its gap.
  const int s = 0, r = static_cast<int>(edges.receivers.size()) - 1;
  Spread moved;
  for (const TabText& line : linesOf({TabText(workspace.text)}, false)) {
    const auto tokens = readBy(*snapshot->model->tokenizer, model->config(), line).tokens;
    const auto whole = live.run(tokens, {});
    const auto without =
        live.run(tokens, {TextEdges(*model, edges, *whole).leftOut(0, static_cast<std::size_t>(r))});
    const auto gap = std::ranges::find(tokens, snapshot->model->tokenizer->mask());
    REQUIRE(gap != tokens.end());
    const int at = static_cast<int>(gap - tokens.begin());
    moved.add(divergenceOf((*whole)["logits"][at].copy(), (*without)["logits"][at].copy()));
  }
  CHECK(moved.mean() > 0);
  CHECK(told[edge::mean](s, r) == Approx(moved.mean()).margin(1e-6));
  CHECK(told[edge::spread](s, r) == Approx(moved.deviation()).margin(1e-6));
}

TEST_CASE("edges of the open text alone are its own, in order, and so is what their graph makes of it") {
  for (const char* name : {"stories", "fill", "translate"}) {
    INFO(name);
    Workspace workspace = initialWorkspace();
    commands::setModel(name).apply(workspace);
    setTabs(workspace,
            {name == std::string_view("translate") ? TabText("drei Hunde", "three dogs")
             : name == std::string_view("fill")    ? TabText("The dog was <|mask|>.")
                                                   : TabText("The dog was tired. The")},
            0);
    workspace.settings.choose(edgeThreshold, "0.03");
    commands::choosePicture("influence", "edges").apply(workspace);
    const auto snapshot = latestFor(workspace);
    REQUIRE(snapshot->kept.measured);
    const TensorSet& told = *snapshot->kept.measured;
    const auto& model = snapshot->model->transformer;
    const Trace& trace = *snapshot->pass->trace;
    const ModelEdges edges = edgesOf(*model);
    LivePass live(model);
    const std::vector<int> gaps = gapsOf(trace.tokens(), snapshot->model->tokenizer->mask());
    const Tensor here = *leaveOutEdges(live, edges, trace, {}, {.gaps = gaps});
    int all = 0;
    for (int s = 0; s < static_cast<int>(edges.senders.size()); ++s)
      for (int r = 0; r < static_cast<int>(edges.receivers.size()); ++r) {
        const float rise = here.view()(s, r), shown = told[edge::here](s, r);
        REQUIRE(std::isfinite(rise) == std::isfinite(shown));
        if (!std::isfinite(rise)) continue;
        ++all;
        CHECK(shown == Approx(rise).margin(1e-5));
      }
    CHECK(told[edge::tried](0) == static_cast<float>(all));
    CHECK(told[edge::tried](1) == static_cast<float>(all));
    CHECK(told.find(edge::mean) < 0);
    CHECK(told.contains(edge::estimate) == (name != std::string_view("fill")));
    float most = 0;
    for (const float rise : here.values())
      if (std::isfinite(rise)) most = std::max(most, std::abs(rise));
    const auto listed = [&](int at) {
      return std::abs(
          here.view()(static_cast<int>(told[edge::sender](at)), static_cast<int>(told[edge::receiver](at))));
    };
    CHECK(listed(0) == Approx(most).margin(1e-5));
    for (int i = 1; i < told[edge::sender].extent[0]; ++i) CHECK(listed(i) <= listed(i - 1) + 1e-5f);
    const auto graph = passOfEdges(live, edges, trace, {}, [&](std::size_t s, std::size_t r) {
      return std::abs(told[edge::here](static_cast<int>(s), static_cast<int>(r))) >= 0.03f;
    });
    const Reproduced alone = reproducedBy(model->config(), trace, *graph, {.gaps = gaps});
    CHECK(told[edge::alone](0) == Approx(alone.told).margin(1e-4));
    CHECK(told[edge::alone](1) == Approx(alone.answers));
  }
}

TEST_CASE(
    "edges tell of the answer that is asked about what leaving them out does to it, and follow what is "
    "asked") {
  Workspace workspace = initialWorkspace();
  commands::choosePicture("influence", "edges").apply(workspace);
  commands::chooseMetric("logit").apply(workspace);
  CHECK(thresholdOfEdges(workspace.settings) == 0.1f);
  Answering answering;
  const auto answered = [&] { return answering(workspace); };
  auto snapshot = answered();
  const auto& model = snapshot->model->transformer;
  const ModelEdges edges = edgesOf(*model);
  LivePass live(model);
  const auto compare = [&](const AnswerMetric& of, bool isDivergence) {
    REQUIRE(snapshot->kept.measured);
    const TensorSet& told = *snapshot->kept.measured;
    REQUIRE(told[edge::tried](0) == told[edge::tried](1));
    const Trace& trace = *snapshot->pass->trace;
    const TextEdges text(*model, edges, trace);
    for (int i = 0; i < 12; ++i) {
      const int s = static_cast<int>(told[edge::sender](i)), r = static_cast<int>(told[edge::receiver](i));
      const AblationEffect out = leaveOut(
          live, trace, {}, text.leftOut(static_cast<std::size_t>(s), static_cast<std::size_t>(r)), of);
      CHECK(told[edge::here](s, r) == Approx(isDivergence ? out.divergence : out.logit).margin(1e-4));
    }
    // All probabilities have no slope where they are.
    CHECK(told.contains(edge::estimate) == !isDivergence);
    if (isDivergence) return;
    const Metric telling{.kind = Metric::Kind::Answer, .of = of};
    const Tensor slopes = EdgeAblation(*model, edges, trace, {}, telling).estimates();
    slopes.view().forEach([&](const auto& at, float slope) {
      const float estimate = told[edge::estimate](at[0], at[1]);
      REQUIRE(std::isfinite(slope) == std::isfinite(estimate));
      if (!std::isfinite(slope)) return;
      CHECK(estimate == Approx(slope).margin(1e-4));
      CHECK(told[edge::error](at[0], at[1]) == estimate - told[edge::here](at[0], at[1]));
    });
  };
  const Prediction answer = snapshot->pass->predicted;
  compare({answer}, false);
  commands::choose(againstChoice, "300").apply(workspace);
  snapshot = answered();
  compare({answer, 300}, false);
  workspace.selection.query = 8;
  snapshot = answered();
  CHECK(snapshot->pass->predicted.position == 8);
  compare({snapshot->pass->predicted, 300}, false);
  commands::chooseMetric("kl").apply(workspace);
  snapshot = answered();
  compare({snapshot->pass->predicted}, true);
  CHECK(thresholdOfEdges(workspace.settings) == 0.01f);
}

TEST_CASE(
    "of many texts edges tell of each one's own answer, and are told anew where something else is asked") {
  Workspace workspace = initialWorkspace();
  workspace.text = "The dog was tired.\nThe cat was";
  workspace.aside.clear(), workspace.tab = 0;
  workspace.settings.choose(neuronCorpus, corpusOfTabs);
  workspace.settings.choose(edgeTexts, firstEdgeTexts);
  commands::choosePicture("influence", "edges").apply(workspace);
  Answering answering;
  const auto check = [&](Metric::Kind kind, bool isLead) {
    const auto snapshot = answering(workspace);
    REQUIRE(snapshot->kept.measured);
    const TensorSet& told = *snapshot->kept.measured;
    const auto& model = snapshot->model->transformer;
    const ModelEdges edges = edgesOf(*model);
    LivePass live(model);
    std::vector<Tensor> each;
    for (const TabText& line : linesOf({TabText(workspace.text)}, false)) {
      const auto trace = live.run(readBy(*snapshot->model->tokenizer, model->config(), line).tokens, {});
      each.push_back(*leaveOutEdges(live, edges, *trace, {},
                                    ownMetric(kind, AnswerMetric::As::Logit, isLead, *trace, {})));
    }
    REQUIRE(each.size() == 2);
    int known = 0;
    told[edge::mean].forEach([&](const auto& at, float mean) {
      if (!std::isfinite(mean)) return;
      ++known;
      const float a = each[0].view()(at[0], at[1]), b = each[1].view()(at[0], at[1]);
      CHECK(mean == Approx((a + b) / 2).margin(1e-4));
      CHECK(told[edge::ofTexts](1, at[0], at[1]) == Approx(b).margin(1e-4));
    });
    CHECK(known > 100);
    return told[edge::mean].copy();
  };
  using Kind = Metric::Kind;
  const auto loss = check(Kind::Loss, false);
  commands::chooseMetric("logit").apply(workspace);
  CHECK(check(Kind::Answer, false) != loss);
  commands::choose(againstChoice, "300").apply(workspace);  // over many texts what comes second in each
  check(Kind::Answer, true);
  commands::chooseMetric("kl").apply(workspace);
  check(Kind::Divergence, false);
}

TEST_CASE("edges that promise most are left out first, and what was broken off goes on") {
  const auto snapshot = latestFor(initialWorkspace());
  const auto& model = snapshot->model->transformer;
  const ModelEdges edges = edgesOf(*model);
  LivePass live(model);
  EdgesHere here(model, snapshot->pass->trace, edges, {}, {});
  constexpr int first = 40;
  int asked = 0;
  CHECK_FALSE(here.leaveOut(
      live, [&](int, int) { return asked++ <= first; }, [] {}));
  CHECK(here.tried() == first);
  const Tensor some = here.told();
  CHECK(here.leaveOut(live, noProgress, [] {}));
  REQUIRE(here.isWhole());
  CHECK(here.tried() == here.count());
  // Of the ten that matter most nearly all are among those forty, of more than four hundred.
  std::vector<std::size_t> order(here.told().values().size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::erase_if(order, [&](std::size_t i) { return !std::isfinite(here.told().values()[i]); });
  std::ranges::stable_sort(order, std::greater<>(),
                           [&](std::size_t i) { return std::abs(here.told().values()[i]); });
  int found = 0;
  for (std::size_t i = 0; i < 10; ++i) found += std::isfinite(some.values()[order[i]]);
  CHECK(found >= 7);
  CHECK(here.count() > 10 * first);
}

TEST_CASE("edges follow the text that is typed, and say of one token why there are none") {
  Answering answering;
  Workspace workspace = initialWorkspace();
  commands::choosePicture("influence", "edges").apply(workspace);
  const auto strongest = [&](const char* text) {
    setTabs(workspace, {TabText(text)}, 0);
    const auto snapshot = answering(workspace);
    REQUIRE(snapshot->kept.measured);
    const TensorSet& told = *snapshot->kept.measured;
    CHECK(told[edge::tried](0) == told[edge::tried](1));
    return told[edge::here](static_cast<int>(told[edge::sender](0)),
                            static_cast<int>(told[edge::receiver](0)));
  };
  const float before = strongest("The dog was"), after = strongest("The dog was tired");
  CHECK(before != after);
  CHECK(strongest("The dog was") == Approx(before).margin(1e-6));
  setTabs(workspace, {TabText("The")}, 0);
  CHECK(answering(workspace)->kept.missing == "edge ablation needs a text of at least two tokens");
}

TEST_CASE("a model without edges says why") {
  Workspace workspace = initialWorkspace();
  commands::choosePicture("influence", "edges").apply(workspace);
  workspace.changes = {{"norm_placement", "residual"}};
  CHECK(latestFor(workspace)->kept.missing.starts_with("its sublayers add to a norm"));
}
