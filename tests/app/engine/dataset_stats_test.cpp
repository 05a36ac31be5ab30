#include "app/engine/dataset_stats.h"

#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <cmath>

#include "app/document/effect_settings.h"
#include "app/document/neuron_settings.h"
#include "app/document/view_commands.h"
#include "app/engine/answer_measures.h"
#include "app/engine/corpus.h"
#include "app/engine/model_library.h"
#include "app/engine/training_origin.h"
#include "core/lens/contributions.h"
#include "core/lens/patching.h"
#include "tests/app/engine/first_told.h"
#include "tests/app/engine/latest_for.h"

using namespace glassformer;
using Catch::Approx;

namespace {

Workspace askingEffects() {
  Workspace workspace = initialWorkspace();
  workspace.text = "The dog was too tired. The\nThe cat was old.\nAnna says that";
  workspace.aside.clear(), workspace.tab = 0;
  workspace.settings.choose(neuronCorpus, corpusOfTabs);
  workspace.selection.layer = 2, workspace.selection.head = 0;
  commands::choosePicture("influence", "many texts").apply(workspace);
  return workspace;
}

}  // namespace

TEST_CASE("what parts do over many texts is the mean and spread of what they do to each of them") {
  const Workspace workspace = askingEffects();
  const auto snapshot = latestFor(workspace);
  REQUIRE(snapshot->kept.measured);
  const TensorSet& told = *snapshot->kept.measured;
  const auto& model = snapshot->model->transformer;
  const ModelConfig& config = model->config();
  LivePass live(model);
  const Interventions off{zeroAblation({.kind = ModelPart::Kind::Head, .layer = 2, .head = 0})};
  Spread loss, direct;
  std::size_t worstText = 0;
  float most = -1e9f;
  std::vector<TokenText> texts;
  for (const TabText& line : linesOf({TabText(workspace.text)}, false))
    texts.push_back(readBy(*snapshot->model->tokenizer, config, line));
  REQUIRE(texts.size() == 3);
  const auto parts = contributionParts(*model);
  const auto part = static_cast<std::size_t>(
      std::ranges::find(parts, ContributionPart{ContributionPart::Kind::Head, {2, 0}}) - parts.begin());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto whole = live.run(texts[i].tokens, {}), without = live.run(texts[i].tokens, off);
    const TextEffect effect = effectOn(tokenLossesOf(*whole), tokenLossesOf(*without));
    loss.add(static_cast<double>(effect.loss));
    direct.add(static_cast<double>(contributionsToNext(*model, *whole)[part]));
    if (effect.loss > most) most = effect.loss, worstText = i;
  }
  CHECK(told["effects.loss"](2, 0) == Approx(loss.mean()).margin(1e-5));
  CHECK(told["effects.loss_spread"](2, 0) == Approx(loss.deviation()).margin(1e-5));
  CHECK(told["effects.direct"](2, 0) == Approx(direct.mean()).margin(1e-5));
  CHECK(told["effects.direct_spread"](2, 0) == Approx(direct.deviation()).margin(1e-5));
  CHECK(told[effects::read](0) == 3);
  // The texts in which it matters most, the worst first.
  CHECK(told[effects::example](0) == Approx(most).margin(1e-5));
  CHECK(told[effects::example](2) <= told[effects::example](1));
  for (int t = 0; t < static_cast<int>(texts[worstText].tokens.size()); ++t)
    CHECK(told[effects::tokens](0, t) ==
          static_cast<float>(texts[worstText].tokens[static_cast<std::size_t>(t)]));
  // The open text is that of all lines.
  const auto whole = live.run(snapshot->pass->trace->tokens(), {}),
             without = live.run(snapshot->pass->trace->tokens(), off);
  CHECK(told["effects.loss_here"](2, 0) ==
        Approx(effectOn(tokenLossesOf(*whole), tokenLossesOf(*without)).loss).margin(1e-5));
}

TEST_CASE("what parts do over many texts is of the model with the interventions that mean something there") {
  Workspace workspace = askingEffects();
  const Intervention everywhere = zeroAblation({.kind = ModelPart::Kind::Head, .layer = 0, .head = 3}),
                     hereAlone = heldAt("blocks.1.attn.hook_attn_scores", std::vector{0, 4, 1}, 5);
  workspace.interventions = {everywhere, hereAlone};
  const auto snapshot = latestFor(workspace);
  REQUIRE(snapshot->kept.measured);
  const TensorSet& told = *snapshot->kept.measured;
  const auto& model = snapshot->model->transformer;
  const Intervention off = zeroAblation({.kind = ModelPart::Kind::Head, .layer = 2, .head = 0});
  LivePass live(model);
  const auto effect = [&](const std::vector<int>& tokens, Interventions standing) {
    const TokenLosses whole = tokenLossesOf(*live.run(tokens, standing));
    standing.push_back(off);
    return effectOn(whole, tokenLossesOf(*live.run(tokens, standing))).loss;
  };
  Spread loss, clean;
  for (const TabText& line : linesOf({TabText(workspace.text)}, false)) {
    const auto tokens = readBy(*snapshot->model->tokenizer, model->config(), line).tokens;
    loss.add(static_cast<double>(effect(tokens, {everywhere})));
    clean.add(static_cast<double>(effect(tokens, {})));
  }
  CHECK(told["effects.loss"](2, 0) == Approx(loss.mean()).margin(1e-5));
  CHECK(told["effects.loss"](2, 0) != Approx(clean.mean()).margin(1e-3));
  CHECK(told["effects.loss"](0, 3) == Approx(0).margin(1e-6));  // it is gone already
  CHECK(told["effects.loss_here"](2, 0) ==
        Approx(effect(snapshot->pass->trace->tokens(), workspace.interventions)).margin(1e-5));
  CHECK(told[effects::interventions].copy() == std::vector<float>{1, 1});
}

namespace {

// The lines of the texts that are open, as the model reads them.
std::vector<TokenText> linesRead(const Workspace& workspace, const Snapshot& snapshot) {
  std::vector<TokenText> texts;
  for (const TabText& line : linesOf({TabText(workspace.text)}, false))
    texts.push_back(readBy(*snapshot.model->tokenizer, snapshot.model->transformer->config(), line));
  return texts;
}

}  // namespace

TEST_CASE("what each text tells by itself is told over all as mean and spread, whatever is measured") {
  for (const std::string id : {"direct", "answer", "flip-heads", "patch-heads"}) {
    Workspace workspace = askingEffects();
    workspace.text = "The dog was too tired. The\nThe cat was too old. The\nAnna says that";
    workspace.settings.choose(effectNumber, id);
    const auto snapshot = latestFor(workspace);
    REQUIRE(snapshot->kept.measured);
    const TensorSet& told = *snapshot->kept.measured;
    const DatasetMetric& measure = effectMeasure(id);
    REQUIRE(measure.id == id);
    const ModelConfig& config = snapshot->model->transformer->config();
    LivePass live(snapshot->model->transformer);
    const std::vector<TokenText> texts = linesRead(workspace, *snapshot);
    std::vector<Spread> cells(cellsOf(measure, config));
    for (std::size_t text = 0; text < texts.size(); ++text) {
      const auto trace = live.run(texts[text].tokens, {});
      const TokenText* const partner = text == 0 ? &texts[1] : text == 1 ? &texts[0] : nullptr;
      const std::vector<float> alone = measure.of({live, *trace, {}, partner, 0, noProgress, {}});
      REQUIRE(alone.size() == cells.size());
      for (std::size_t i = 0; i < alone.size(); ++i)
        if (std::isfinite(alone[i])) cells[i].add(static_cast<double>(alone[i]));
      CHECK(measure.of({live, *trace, {}, partner, 0, [](int, int) { return false; }, {}}).empty() ==
            (id != "direct"));
    }
    const std::vector<float> here =
        measure.of({live, *snapshot->pass->trace, {}, nullptr, 0, noProgress, {}});
    const int columns = static_cast<int>(columnNames(measure, config).size());
    int said = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const int row = static_cast<int>(i) / columns, column = static_cast<int>(i) % columns;
      INFO(id << ", " << nameOfCell(measure, config, static_cast<int>(i)));
      CHECK(std::isfinite(told[measure.here()](row, column)) == std::isfinite(here[i]));
      if (std::isfinite(here[i])) CHECK(told[measure.here()](row, column) == Approx(here[i]).margin(1e-4));
      if (cells[i].texts() == 0) continue;
      ++said;
      CHECK(told[measure.mean()](row, column) == Approx(cells[i].mean()).margin(1e-5));
      if (cells[i].texts() > 1)
        CHECK(told[measure.spread()](row, column) == Approx(cells[i].deviation()).margin(1e-5));
    }
    CHECK(said >= 12);
    CHECK(told[effects::read](0) == 3);
  }
}

TEST_CASE("over many texts answers change by what Leave out, Flip and Patch show of each of them") {
  Workspace workspace = askingEffects();
  workspace.text =
      "The animal didn't cross the street because it was too tired. What was too tired? The\n"
      "The animal didn't cross the street because it was too wide. What was too wide? The";
  const auto snapshot = latestFor(workspace);
  const std::vector<TokenText> texts = linesRead(workspace, *snapshot);
  const ModelConfig& config = snapshot->model->transformer->config();
  const int columns = causalColumns(config);
  const auto at = [&](const std::vector<float>& cells, int row, int column) {
    return cells[static_cast<std::size_t>(row * columns + column)];
  };
  // What the picture of one text shows.
  const auto shownOf = [&](const char* picture, const TabText& text, const std::string& tensor) {
    Workspace one = initialWorkspace();
    one.text = text.text;
    one.aside.clear(), one.tab = 0;
    commands::choosePicture("influence", picture).apply(one);
    return (*latestFor(one)->kept.measured)[tensor].copy();
  };
  LivePass live(snapshot->model->transformer);
  const auto trace = live.run(texts[0].tokens, {}), other = live.run(texts[1].tokens, {});
  const CountedTokens all;
  const MeasuredText text{live, *trace, {}, &texts[1], 0, noProgress, all};
  const std::string first = workspace.text.substr(0, workspace.text.find('\n'));
  for (const char* id : {"answer", "divergence"}) {
    const auto shown =
        shownOf("leave out", TabText(first), std::string("causal.") + (id[0] == 'a' ? "logit" : id));
    const std::vector<float> told = effectMeasure(id).of(text);
    REQUIRE(shown.size() == told.size());
    for (std::size_t i = 0; i < told.size(); ++i)
      if (std::isfinite(told[i])) CHECK(told[i] == Approx(shown[i]).margin(1e-4));
  }
  // Without head 0 of block 2 alone the answer becomes another one (README), and no other head does that.
  const std::vector<float> flips = effectMeasure("flip-heads").of(text);
  for (int row = 0; row < config.layers; ++row)
    for (int h = 0; h < config.heads; ++h) CHECK(at(flips, row, h) == (row == 2 && h == 0 ? 1.0f : 0.0f));
  CHECK(std::isnan(at(flips, 2, config.heads)));
  CHECK(at(effectMeasure("another").of(text), 2, 0) == 1);
  // A patch computed alone.
  const int last = trace->tokenCount() - 1, a = likeliestEntry(*trace, last),
            b = likeliestEntry(*other, last);
  REQUIRE(trace->tokenCount() == other->tokenCount());
  const Alignment alignment = align(trace->tokens(), other->tokens());
  const auto patched =
      live.run(trace->tokens(), {patchOfHead(*trace, *other, "blocks.2.attn.hook_z", 0, alignment)}, {});
  CHECK(at(effectMeasure("patch-heads").of(text), 2, 0) ==
        Approx(lead(*patched, last, a, b) - lead(*trace, last, a, b)).margin(1e-4));
  const auto stream =
      live.run(trace->tokens(), {patchAt(*trace, *other, "blocks.3.hook_resid_pre", last, last)}, {});
  const std::vector<float> places = effectMeasure("patch-stream").of(text);
  CHECK(places[3 * 4 + 3] == Approx(lead(*stream, last, a, b) - lead(*trace, last, a, b)).margin(1e-4));
  CHECK(places[0] == 0);  // before anything differs
}

TEST_CASE("a text that no pair was given for is patched from what changes its answer") {
  const auto model = latestFor(askingEffects())->model;
  LivePass live(model->transformer);
  const auto tokens =
      readBy(*model->tokenizer, model->transformer->config(), TabText("The dog was too")).tokens;
  const auto trace = live.run(tokens, {});
  const CountedTokens all;
  const MeasuredText text{live, *trace, {}, nullptr, 1, noProgress, all};
  const auto changed = changedVersion(text);
  REQUIRE(changed);
  int differing = 0;
  for (std::size_t t = 0; t < tokens.size(); ++t) differing += changed->tokens[t] != tokens[t];
  CHECK(differing == 1);
  CHECK(changed->tokens[0] == tokens[0]);  // a sign that nobody wrote stays
  const auto other = live.run(changed->tokens, {});
  const int last = trace->tokenCount() - 1;
  CHECK(likeliestEntry(*other, last) != likeliestEntry(*trace, last));
}

TEST_CASE("questions are read up to where the answer comes, as the task asks them") {
  Workspace workspace = askingEffects();
  workspace.model = "sort";
  workspace.settings.choose(neuronCorpus, corpusOfQuestions);
  workspace.settings.choose(effectNumber, "another");
  const auto snapshot = latestFor(workspace);
  REQUIRE(snapshot->kept.measured);
  const TensorSet& told = *snapshot->kept.measured;
  CHECK(told[effects::read](0) == fewTexts);
  CHECK(told[effects::read](1) == fewTexts);
  const LoadedModel loaded = *ModelLibrary(SOURCE_FOLDER "/build").load("sort");
  const ModelConfig& config = loaded.transformer->config();
  const auto questions =
      taskQuestions(makeTask(loaded.origin).get(), *loaded.tokenizer, config, "sort", fewTexts);
  REQUIRE(questions);
  LivePass live(loaded.transformer);
  int another = 0;
  const Interventions off{zeroAblation({.kind = ModelPart::Kind::Mlp, .layer = 0})};
  for (const TokenText& each : *questions) {
    const int last = static_cast<int>(each.tokens.size()) - 1;
    CHECK(loaded.tokenizer->decode(each.tokens).back() == '>');
    another +=
        likeliestEntry(*live.run(each.tokens, off), last) != likeliestEntry(*live.run(each.tokens, {}), last);
  }
  CHECK(told[effectMeasure("another").mean()](0, config.heads + 1) ==
        Approx(static_cast<double>(another) / fewTexts).margin(1e-5));
}

TEST_CASE("what all heads of a block add is what each adds, and its bias") {
  const auto model = latestFor(askingEffects())->model->transformer;
  const auto parts = contributionParts(*model);
  std::vector<float> each(parts.size());
  for (std::size_t m = 0; m < parts.size(); ++m) each[m] = static_cast<float>(m);
  const std::vector<float> cells = directOfCells(*model, each);
  const int columns = causalColumns(model->config()), H = model->config().heads;
  REQUIRE(static_cast<int>(cells.size()) == columns * model->config().layers);
  float heads = 0, bias = 0;
  for (std::size_t m = 0; m < parts.size(); ++m) {
    if (parts[m].head.layer != 1) continue;
    if (parts[m].kind == ContributionPart::Kind::Head) heads += each[m];
    if (parts[m].kind == ContributionPart::Kind::OutputBias) bias = each[m];
    if (parts[m].kind == ContributionPart::Kind::Mlp)
      CHECK(cells[static_cast<std::size_t>(columns + H + 1)] == each[m]);
  }
  CHECK(cells[static_cast<std::size_t>(columns + H)] == heads + bias);
  CHECK(directOfCells(*model, {}).size() == cells.size());
  CHECK(std::isnan(directOfCells(*model, {})[0]));
}

TEST_CASE("a model that fills gaps says why nothing is left out over many texts") {
  Workspace workspace = askingEffects();
  workspace.model = "fill";
  CHECK(latestFor(workspace)->kept.missing.starts_with("this is a masked language model"));
}

TEST_CASE("means over many texts are told after the first few of them, and of how many") {
  Workspace workspace = initialWorkspace();
  commands::choosePicture("influence", "many texts").apply(workspace);
  FirstTold first(workspace);
  DatasetStats bench(1);
  int texts = 0, all = 0;
  const int asked = first.askedBefore(bench, [&](const TensorSet& told) {
    texts = static_cast<int>(told[effects::read](0)), all = static_cast<int>(told[effects::read](1));
    return std::isfinite(told["effects.loss"](2, 0)) && std::isfinite(told["effects.loss_spread"](2, 0));
  });
  CHECK(texts == DatasetStats::firstTexts);
  CHECK(all == fewTexts);
  constexpr int parts = 4 * (4 + 2), begun = 2;
  REQUIRE(asked > 0);
  CHECK(asked <= DatasetStats::firstTexts * (1 + parts) + begun);
}
