#include "app/engine/effect_bench.h"

#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <cmath>

#include "app/document/effect_settings.h"
#include "app/document/neuron_settings.h"
#include "app/document/view_commands.h"
#include "app/engine/corpus.h"
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
  const Interventions off{switchedOff({.kind = ModelPart::Kind::Head, .layer = 2, .head = 0})};
  Spread loss, direct;
  std::size_t worstText = 0;
  float most = -1e9f;
  std::vector<TokenText> texts;
  for (const Writing& line : linesOf({Writing(workspace.text)}, false))
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
  const Intervention everywhere = switchedOff({.kind = ModelPart::Kind::Head, .layer = 0, .head = 3}),
                     hereAlone = heldAt("blocks.1.attn.hook_attn_scores", std::vector{0, 4, 1}, 5);
  workspace.interventions = {everywhere, hereAlone};
  const auto snapshot = latestFor(workspace);
  REQUIRE(snapshot->kept.measured);
  const TensorSet& told = *snapshot->kept.measured;
  const auto& model = snapshot->model->transformer;
  const Intervention off = switchedOff({.kind = ModelPart::Kind::Head, .layer = 2, .head = 0});
  LivePass live(model);
  const auto effect = [&](const std::vector<int>& tokens, Interventions standing) {
    const TokenLosses whole = tokenLossesOf(*live.run(tokens, standing));
    standing.push_back(off);
    return effectOn(whole, tokenLossesOf(*live.run(tokens, standing))).loss;
  };
  Spread loss, clean;
  for (const Writing& line : linesOf({Writing(workspace.text)}, false)) {
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

TEST_CASE("what single passes tell of heads and tokens is the mean and spread of each text alone") {
  for (const char* id : {"previous", "first", "rollout", "flow"}) {
    Workspace workspace = askingEffects();
    workspace.settings.choose(effectNumber, id);
    const auto snapshot = latestFor(workspace);
    REQUIRE(snapshot->kept.measured);
    const TensorSet& told = *snapshot->kept.measured;
    const EffectMeasure& measure = effectMeasure(id);
    const Transformer& model = *snapshot->model->transformer;
    LivePass live(snapshot->model->transformer);
    std::vector<Spread> cells;
    for (const Writing& line : linesOf({Writing(workspace.text)}, false)) {
      const auto text = readBy(*snapshot->model->tokenizer, model.config(), line);
      const std::vector<float> alone = measure.of(model, *live.run(text.tokens, {}), unwatched);
      cells.resize(alone.size());
      for (std::size_t i = 0; i < alone.size(); ++i)
        if (std::isfinite(alone[i])) cells[i].add(static_cast<double>(alone[i]));
    }
    const std::vector<float> here = measure.of(model, *snapshot->pass->trace, unwatched);
    const int columns = columnsOf(measure, model.config());
    int said = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const int row = static_cast<int>(i) / columns, column = static_cast<int>(i) % columns;
      INFO(id << ", " << nameOfCell(measure, model.config(), static_cast<int>(i)));
      CHECK(std::isfinite(told[measure.here()](row, column)) == std::isfinite(here[i]));
      if (std::isfinite(here[i])) CHECK(told[measure.here()](row, column) == Approx(here[i]));
      if (cells[i].texts() == 0) continue;
      ++said;
      CHECK(told[measure.mean()](row, column) == Approx(cells[i].mean()).margin(1e-6));
      if (cells[i].texts() > 1)
        CHECK(told[measure.spread()](row, column) == Approx(cells[i].deviation()).margin(1e-6));
    }
    CHECK(said >= 12);
    CHECK(told[effects::read](0) == 3);
  }
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
  CHECK(latestFor(workspace)->kept.missing.starts_with("this model fills gaps"));
}
