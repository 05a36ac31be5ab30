// Numbers that compare passes open into both, and on in each of them down to what the model reads and knows.
#include "app/explain/other_passes.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <random>

#include "app/document/change_settings.h"
#include "app/document/decoding_numbers.h"
#include "app/document/edge_settings.h"
#include "app/document/effect_settings.h"
#include "app/document/influence_settings.h"
#include "app/document/leave_out_settings.h"
#include "app/document/model_commands.h"
#include "app/document/neuron_settings.h"
#include "app/document/patch_settings.h"
#include "app/document/rule_settings.h"
#include "app/document/tabs.h"
#include "app/document/view_commands.h"
#include "app/engine/best_continuation.h"
#include "app/engine/branch_paths.h"
#include "app/engine/dataset_metrics.h"
#include "app/engine/drafted_text.h"
#include "app/engine/embedding_gradients.h"
#include "app/engine/rule_numbers.h"
#include "app/engine/strategies.h"
#include "app/explain/index_meaning.h"
#include "app/explain/leaf_reasons.h"
#include "core/lens/lens_grid.h"
#include "tests/app/engine/latest_for.h"
#include "tests/app/explain/opened_terms.h"
#include "tests/sanitized.h"

using namespace glassformer;

namespace {

const std::string tiredText = "The dog was too tired. It was too tired.";

Workspace askingInfluence(const char* picture, const char* choice = "", const char* chosen = "") {
  Workspace workspace = initialWorkspace();
  setTabs(workspace, {TabText(tiredText)}, 0);
  commands::choosePicture("influence", picture).apply(workspace);
  if (*choice) workspace.settings.choose(choice, chosen);
  return workspace;
}

Workspace askingPatches(const char* kind) {
  Workspace workspace = askingInfluence("patch", patchChoice, kind);
  setTabs(workspace, {TabText(tiredText), TabText("The dog was too old. It was too old.")}, 0);
  workspace.comparison.with = OtherText{1};
  return workspace;
}

Workspace askingManyTexts(const char* picture, const char* choice = "", const char* chosen = "") {
  Workspace workspace = askingInfluence(picture, choice, chosen);
  setTabs(workspace, {TabText("The dog was old.\nAnna says that\nThe cat sat. The cat sat.")}, 0);
  workspace.settings.choose(neuronCorpus, corpusOfTabs);
  workspace.settings.choose(edgeTexts, firstEdgeTexts);
  return workspace;
}

// A random cell of a tensor that is known and compares passes; empty where none of the tries is.
TensorRef cellAcross(const Snapshot& snapshot, const std::string& tensor, std::mt19937& random) {
  const auto view = sourcesOf(snapshot).find(tensor);
  REQUIRE(view);
  for (int i = 0; i < 200; ++i) {
    TensorRef cell{tensor};
    for (std::size_t d = 0; d < static_cast<std::size_t>(view->rank); ++d)
      cell.index[d] = static_cast<int>(random() % static_cast<unsigned>(view->extent[d]));
    if (std::isfinite(view->at(cell.index)) && comparesPasses(snapshot, cell)) return cell;
  }
  return {};
}

// From the terms of an opened number on, at random, to where nothing is made of anything else: a weight, or
// what the mask hides. Every number on the way has a name. True where a weight was reached.
bool leadsToGround(const Snapshot& snapshot, const OpenedAcross& opened, std::mt19937& random) {
  std::vector<Cell> cells = operandCells(opened.provenance.derivation);
  int pass = -1;
  for (int steps = 0; !cells.empty(); ++steps) {
    REQUIRE(steps < 200);
    const auto [operand, its] = operandOf(snapshot, opened, pass, cells[random() % cells.size()]);
    REQUIRE_FALSE(operand.cell.empty());
    pass = its;
    const Snapshot& in = pass < 0 ? snapshot : *opened.passes[static_cast<std::size_t>(pass)];
    const auto number = namedNumber(in, operand.cell);
    REQUIRE(number);
    if (number->isWeight) return true;
    const auto provenance = provenanceOf(sourcesOf(in), operand.cell);
    if (!provenance) return false;  // a logarithm of what is too small
    cells = operandCells(provenance->derivation);
  }
  return false;
}

// Opens so many random cells of a tensor: the terms give the number again, and open in turn. How many of the
// ways led to a weight.
int openSome(const Snapshot& snapshot, const std::string& tensor, int cells, std::mt19937& random) {
  INFO(tensor);
  int weights = 0;
  for (int i = 0; i < cells; ++i) {
    const TensorRef cell = cellAcross(snapshot, tensor, random);
    REQUIRE_FALSE(cell.empty());
    INFO(cell.index[0] << ", " << cell.index[1] << ", " << cell.index[2]);
    const auto value = static_cast<double>(*valueOf(sourcesOf(snapshot), cell));
    const OpenedAcross made = openedAcross(snapshot, cell);
    CHECK(std::abs(made.provenance.derivation.value() - value) < 1e-5 * (1 + std::abs(value)));
    CHECK_FALSE(operandCells(made.provenance.derivation).empty());
    for (const auto& pass : made.passes) CHECK_FALSE(pass->pass->name.empty());
    weights += leadsToGround(snapshot, made, random);
  }
  return weights;
}

}  // namespace

namespace {

Workspace askingWhereAHeadLooks() {
  Workspace workspace = askingInfluence("smallest change", changesTried, "few");
  workspace.settings.choose(flipsAsked, flipsOfHead);
  workspace.selection.layer = 2, workspace.selection.head = 0;
  return workspace;
}

}  // namespace

TEST_CASE("what compares passes is the sum of its terms, and opens in either pass down to weights") {
  struct Asked {
    Workspace workspace;
    std::vector<const char*> tensors;
  };
  const std::vector<Asked> all{
      {askingInfluence("leave out"), {"causal.logit", "causal.divergence"}},
      {askingInfluence("leave out", leftOutReplaced, leftOutReplacedByMean),
       {"causal.logit", "causal.divergence"}},
      {askingInfluence("leave out", leftOutAt, leftOutByPosition),
       {"causal.logit_at", "causal.divergence_at"}},
      {askingInfluence("matrix", matrixChoice, leaksShown), {"lens.leaks"}},
      {askingInfluence("smallest change", changesTried, "few"),
       {"change.head_probabilities", "change.replacement_probabilities", "change.head_other_probabilities",
        "change.replacement_other_probabilities"}},
      {askingWhereAHeadLooks(),
       {"change.head_probabilities", "change.replacement_probabilities",
        "change.replacement_other_probabilities"}},
      {askingPatches("stream"), {"patch.change"}},
      {askingPatches("heads"), {"patch.change"}},
      {askingManyTexts("edges"), {"edges.of_texts", "edges.here"}},
      {askingManyTexts("edges", metricSetting, "logit"), {"edges.of_texts"}},
      {askingManyTexts("edges", metricSetting, "kl"), {"edges.of_texts"}},
      {askingInfluence("edges"), {"edges.here"}},
      {askingManyTexts("many texts", effectNumber, "loss"), {"effects.loss_texts", "effects.loss_here"}}};
  std::mt19937 random(3);
  int weights = 0, opened = 0;
  for (const auto& [workspace, tensors] : all) {
    const auto snapshot = latestFor(workspace);
    for (const char* const tensor : tensors) {
      weights += openSome(*snapshot, tensor, isSanitized ? 2 : 8, random);
      opened += isSanitized ? 2 : 8;
    }
  }
  CHECK(weights > opened / 2);
}

TEST_CASE("every number of many texts goes on inside the passes of its text, down to weights") {
  std::mt19937 random(5);
  for (const DatasetMetric& measure : datasetMetrics()) {
    INFO(measure.id);
    const auto snapshot = latestFor(askingManyTexts("many texts", effectNumber, measure.id.c_str()));
    int weights = 0;
    for (const std::string& tensor : {measure.texts(), measure.here()})
      weights += openSome(*snapshot, tensor, isSanitized ? 1 : 6, random);
    CHECK((weights > 0 || isSanitized));  // of so few ways none may be one of those
  }
}

TEST_CASE("every measure of an encoder-decoder goes on in the passes of its text") {
  std::mt19937 random(7);
  for (const char* const id : {"answer", "divergence", "patch-stream"}) {
    INFO(id);
    Workspace workspace = initialWorkspace();
    commands::setModel("translate").apply(workspace);
    setTabs(workspace, {TabText("drei", "three")}, 0);
    commands::choosePicture("influence", "many texts").apply(workspace);
    workspace.settings.choose(effectNumber, id);
    workspace.settings.choose(neuronCorpus, corpusOfTabs);
    const auto snapshot = latestFor(workspace);
    CHECK(openSome(*snapshot, effectMeasure(id).here(), isSanitized ? 1 : 6, random) >= 0);
  }
}

TEST_CASE("what a sublayer makes likely opens into the read-outs around it, and on in the pass") {
  std::mt19937 random(5);
  for (const char* const model : {"stories", "fill", "translate", "positions/rotary"}) {
    INFO(model);
    Workspace workspace = initialWorkspace();
    commands::setModel(model).apply(workspace);
    commands::choosePicture("next_token", "lens").apply(workspace);
    const auto snapshot = latestFor(workspace);
    for (const char* const tensor : {lens_grid::probability, lens_grid::promotion, lens_grid::suppression,
                                     "lens.next_token", "lens.next_token_entropy"}) {
      INFO(tensor);
      CHECK(openSome(*snapshot, tensor, isSanitized ? 2 : 8, random) >= 0);
    }
  }
}

TEST_CASE("what decoding found probable opens into the pass over all before it, and on down") {
  std::mt19937 random(9);
  for (const auto& [model, strategy] : {std::pair("stories", DecodingStrategy::Beam),
                                        {"stories", DecodingStrategy::Sampling},
                                        {"translate", DecodingStrategy::Greedy}}) {
    INFO(model);
    Workspace workspace = initialWorkspace();
    commands::setModel(model).apply(workspace);
    workspace.decoding.strategy = strategy;
    const auto snapshot = latestFor(workspace);
    for (const char* const tensor : {"beam.probability", "continuation.probability"})
      CHECK(openSome(*snapshot, tensor, isSanitized ? 1 : 4, random) >= 0);
  }
}

TEST_CASE("every number of a search or of branches opens into the passes that were asked for it") {
  std::mt19937 random(13);
  const auto opened = [&](const Workspace& workspace, std::initializer_list<const char*> tensors) {
    const auto snapshot = latestFor(workspace);
    for (const char* const tensor : tensors)
      CHECK(openSome(*snapshot, tensor, isSanitized ? 1 : 4, random) >= 0);
    return snapshot;
  };
  Workspace workspace = initialWorkspace();
  commands::choosePicture("beam", "search").apply(workspace);
  workspace.decoding.lengthPenalty = 0.7f;
  opened(workspace, {bestContinuation::score, bestContinuation::total});
  commands::choosePicture("next_token", "strategies").apply(workspace);
  const auto compared = opened(workspace, {strategies::probability, strategies::total, strategies::expected});
  checkTerms(*compared, {strategies::found});
  const TensorView counts = (*compared->kept.measured)[strategies::count];
  CHECK(counts.extent[0] > 1);
  CHECK_FALSE(groundWords(strategies::count).empty());  // what they count is not kept
  commands::choosePicture("beam", "branches").apply(workspace);
  const auto branches = opened(workspace, {paths::probability});
  checkTerms(*branches, {paths::logProbability, paths::cumulative, paths::total, paths::score});
}

TEST_CASE("what a draft and the model itself find probable opens in the passes of either") {
  std::mt19937 random(17);
  for (const DecodingStrategy strategy : {DecodingStrategy::Greedy, DecodingStrategy::Sampling}) {
    INFO(idOf(strategy));
    Workspace workspace = initialWorkspace();
    workspace.decoding.strategy = strategy;
    workspace.decoding.stages = {{"temperature", 1.3f}, {"top-k", 20.0f}};
    commands::choosePicture("next_token", "draft").apply(workspace);
    const auto snapshot = latestFor(workspace);
    for (const char* const tensor :
         {drafting::draft, drafting::target, drafting::q, drafting::p, drafting::overlap})
      CHECK(openSome(*snapshot, tensor, isSanitized ? 1 : 4, random) >= 0);
    checkTerms(*snapshot, {drafting::ratio, drafting::both, drafting::beyond, drafting::counts});
  }
}

TEST_CASE("a gradient opens by the chain rule, down to weights and to where the pass backward begins") {
  std::mt19937 random(19);
  const auto check = [&](const Workspace& workspace, std::initializer_list<const char*> tensors) {
    const auto snapshot = latestFor(workspace);
    for (const char* const tensor : tensors)
      CHECK(openSome(*snapshot, tensor, isSanitized ? 1 : 5, random) >= 0);
    return snapshot;
  };
  check(askingInfluence("sentence"), {"lens.embedding_gradient"});
  check(askingInfluence("matrix"), {"lens.influence_matrix", "lens.influence_by_input_matrix"});
  check(askingInfluence("leave out"), {"lens.logit_gradient.blocks.2.attn.hook_z"});
  check(askingInfluence("edges"), {"edges.estimate"});
  check(askingInfluence("edges", metricSetting, "logit"), {"edges.estimate"});
  Workspace both = initialWorkspace();
  commands::choosePicture("tokens", "both ends").apply(both);
  checkTerms(*check(both, {bothEnds::through, bothEnds::together, bothEnds::cosine, bothEnds::loss}),
             {bothEnds::all});
  Workspace kernels = initialWorkspace();
  commands::choosePicture("influence", "gradients").apply(kernels);
  check(kernels, {"lens.gradient_q", "lens.gradient_k", "lens.gradient_v"});
  for (const char* const model : {"stories", "translate"}) {
    Workspace depth = initialWorkspace();
    commands::setModel(model).apply(depth);
    if (std::string(model) == "translate") setTabs(depth, {TabText("drei", "three")}, 0);
    commands::choosePicture("residual", "gradient").apply(depth);
    checkTerms(*check(depth, {"lens.gradient_norm", "lens.gradient_whole", "lens.gradient_skip",
                              "lens.gradient_sublayer", "lens.gradient_rest"}),
               {"lens.gradient_mean", "lens.gradient_whole_mean", "lens.gradient_rest_mean"});
  }
}

TEST_CASE("what gradients estimate, and how often something matters, is made of its own terms") {
  Workspace integrated = askingInfluence("integrated");
  for (const auto& [workspace, tensors] :
       {std::pair(askingInfluence("leave out"), std::vector{"causal.estimate", "causal.error"}),
        std::pair(askingInfluence("leave out", leftOutReplaced, leftOutReplacedByMean),
                  std::vector{"causal.estimate", "causal.error"}),
        std::pair(askingInfluence("leave out", leftOutAt, leftOutByPosition),
                  std::vector{"causal.estimate_at", "causal.error_at"}),
        std::pair(askingInfluence("edges", metricSetting, "logit"), std::vector{"edges.error"}),
        std::pair(integrated, std::vector{"lens.integrated", "lens.integrated_total"}),
        std::pair(askingManyTexts("edges"), std::vector{"edges.often", "edges.matters"})}) {
    const auto snapshot = latestFor(workspace);
    const TensorSources sources = sourcesOf(*snapshot);
    for (const char* const tensor : tensors) {
      INFO(tensor);
      int known = 0;
      sources.find(tensor)->forEach([&](const auto& at, float value) {
        const auto made = std::isfinite(value) ? provenanceOf(sources, {tensor, at}) : std::nullopt;
        if (!made) return;
        ++known;
        CHECK(std::abs(made->derivation.value() - static_cast<double>(value)) <
              2e-4 * (1 + std::abs(static_cast<double>(value))));
        for (const Cell cell : operandCells(made->derivation))
          CHECK_FALSE(operandOf(sources, cell).cell.empty());
      });
      CHECK(known > 3);
    }
  }
}

TEST_CASE("what hypotheses say of heads goes on inside the passes of its texts, down to weights") {
  Workspace workspace = askingManyTexts("many texts");
  commands::choosePicture("attention", "hypothesis").apply(workspace);
  workspace.view = "attention", workspace.rule = "previous";
  workspace.selection.layer = 2, workspace.selection.head = 1;  // whose pattern is worth something
  workspace.settings.choose(benchNumber, benchRecovered);
  const auto snapshot = latestFor(workspace);
  const TensorSources sources = sourcesOf(*snapshot);
  for (const char* const tensor :
       {bench::agreement, bench::recovered, bench::worth, bench::named, bench::namedRecovered, bench::own,
        bench::losses, bench::gains, bench::distribution, bench::inBin}) {
    INFO(tensor);
    int known = 0;
    sources.find(tensor)->forEach([&](const auto& at, float value) {
      if (!std::isfinite(value)) return;
      ++known;
      INFO(at[0] << ", " << at[1]);
      const auto made = provenanceOf(sources, {tensor, at});
      REQUIRE(made);
      CHECK(std::abs(made->derivation.value() - static_cast<double>(value)) <
            2e-4 * (1 + std::abs(static_cast<double>(value))));
      for (const Cell cell : operandCells(made->derivation))
        CHECK_FALSE(operandOf(sources, cell).cell.empty());
    });
    CHECK(known > 1);
  }
  const auto meanings = [&](const char* tensor, std::array<int, maxRank> at) {
    return indexMeanings(*snapshot, *sources.point(tensor), {tensor, at});
  };
  CHECK(meanings(bench::ofTexts, {1, 2, 3}) == "text 1, in block 2, head 3");
  CHECK(meanings(bench::namedOfTexts, {6, 0}) == "rule any, text 0");
  CHECK(meanings(bench::losses, {0, 1}) == "replaced 0, pattern uniform");
  CHECK(meanings(bench::own, {1}) == "its loss recovered");
  CHECK(meanings(bench::distribution, {17}) == "overlap 0.85 to 0.90");
  CHECK(meanings(bench::inBin, {3, 0}) == "text 3, overlap 0.00 to 0.05");
  std::mt19937 random(11);
  int weights = 0;
  for (const char* const tensor :
       {bench::ofTexts, bench::namedOfTexts, bench::textLosses, bench::example, bench::attention})
    weights += openSome(*snapshot, tensor, isSanitized ? 1 : 6, random);
  CHECK((weights > 0 || isSanitized));
}

TEST_CASE("a mean over texts is made of what each text tells, and its spread of these and the mean") {
  for (const auto& [picture, mean, spread, texts] :
       {std::tuple("many texts", "effects.loss", "effects.loss_spread", "effects.loss_texts"),
        std::tuple("edges", "edges.mean", "edges.spread", "edges.of_texts")}) {
    INFO(mean);
    const auto snapshot = latestFor(askingManyTexts(picture));
    const TensorSources sources = sourcesOf(*snapshot);
    const TensorView means = *sources.find(mean);
    int known = 0;
    means.forEach([&](const auto& at, float value) {
      if (!std::isfinite(value)) return;
      ++known;
      const auto made = provenanceOf(sources, {mean, at}), around = provenanceOf(sources, {spread, at});
      REQUIRE(made);
      REQUIRE(around);
      CHECK(made->derivation.terms.size() == 3);
      CHECK(std::abs(made->derivation.value() - static_cast<double>(value)) < 1e-6);
      CHECK(std::abs(around->derivation.value() - static_cast<double>(*valueOf(sources, {spread, at}))) <
            1e-5);
      for (const Operand& operand : operandsOf(sources, made->derivation.terms.front()))
        CHECK(operand.cell.tensor == texts);
    });
    CHECK(known > 10);
  }
}

TEST_CASE("a number of another pass says in which, and one of the shown pass stays in that") {
  const auto snapshot = latestFor(askingInfluence("leave out"));
  const TensorRef cell{causal::logit, {2, 0}};
  REQUIRE(comparesPasses(*snapshot, cell));
  CHECK_FALSE(comparesPasses(*snapshot, {"logits", {0, 0}}));
  const OpenedAcross made = openedAcross(*snapshot, cell);
  const std::vector<Term>& terms = made.provenance.derivation.terms;
  REQUIRE(terms.size() == 2);
  bool isElsewhere = false, isShown = false;
  for (const Term& term : terms) {
    const auto [operand, pass] = operandOf(*snapshot, made, -1, term.factor);
    CHECK(operand.cell.tensor == "logits");
    CHECK(term.coefficient == (pass < 0 ? -1 : 1));
    if (pass >= 0) CHECK(made.passes[static_cast<std::size_t>(pass)]->pass->name == "head L2H0 ablated");
    (pass < 0 ? isShown : isElsewhere) = true;
  }
  CHECK((isShown && isElsewhere));
}
