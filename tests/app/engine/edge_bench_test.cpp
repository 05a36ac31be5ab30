#include "app/engine/edge_bench.h"

#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <cmath>

#include "app/document/edge_settings.h"
#include "app/document/neuron_settings.h"
#include "app/document/view_commands.h"
#include "app/engine/corpus.h"
#include "core/lens/leave_out.h"
#include "tests/app/engine/latest_for.h"

using namespace glassformer;
using Catch::Approx;

TEST_CASE("what edges do over many texts is the mean and spread of what leaving out does to each") {
  Workspace workspace = initialWorkspace();
  workspace.text = "The dog was tired.\nThe cat was old.\nAnna says";
  workspace.aside.clear(), workspace.tab = 0;
  workspace.settings.choose(neuronCorpus, corpusOfTabs);
  workspace.settings.choose(edgeThreshold, "0.1");
  commands::choosePicture("influence", "edges").apply(workspace);
  const auto snapshot = latestFor(workspace);
  REQUIRE(snapshot->kept.measured);
  const TensorSet& told = *snapshot->kept.measured;
  const auto& model = snapshot->model->transformer;
  const ModelEdges edges = edgesOf(*model);
  LivePass live(model);
  std::vector<Tensor> alone;
  for (const Writing& line : linesOf({Writing(workspace.text)}, false)) {
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
  CHECK(told[edge::alone](0) == Approx(graphAlone.loss).margin(1e-4));
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
  for (const Writing& line : linesOf({Writing(workspace.text)}, false)) {
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

TEST_CASE("a model without edges says why") {
  Workspace workspace = initialWorkspace();
  commands::choosePicture("influence", "edges").apply(workspace);
  workspace.changes = {{"norm_placement", "residual"}};
  CHECK(latestFor(workspace)->kept.missing.starts_with("what its sublayers add to is a norm itself"));
}
