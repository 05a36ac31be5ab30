#include "app/engine/ablation_map.h"

#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "app/document/attribution_settings.h"
#include "app/document/leave_out_settings.h"
#include "app/document/model_commands.h"
#include "app/document/tabs.h"
#include "app/engine/model_library.h"
#include "core/decode/next_token.h"
#include "core/random.h"
#include "tests/app/engine/latest_for.h"

using namespace glassformer;

namespace {

Workspace leavingOut(const char* model) {
  Workspace workspace = initialWorkspace();
  commands::setModel(model).apply(workspace);
  workspace.view = "influence", workspace.settings.pictures["influence"] = "leave out";
  return workspace;
}

}  // namespace

TEST_CASE("every cell of the causal map is the pass computed alone without that part") {
  for (const char* model : {"stories", "induction", "translate", "fill", "letters"}) {
    INFO(model);
    Workspace workspace = leavingOut(model);
    const ModelLibrary library(SOURCE_FOLDER "/build");
    const auto transformer = library.load(model)->transformer;
    const ModelConfig& config = transformer->config();
    workspace.interventions = {zeroAblation({ModelPart::Kind::Head, 0, 1, ownSite(config)})};
    const auto snapshot = latestFor(workspace);
    REQUIRE(snapshot->kept.measured);
    const TensorView logit = (*snapshot->kept.measured)[causal::logit],
                     kl = (*snapshot->kept.measured)[causal::divergence],
                     estimate = (*snapshot->kept.measured)[causal::estimate],
                     error = (*snapshot->kept.measured)[causal::error];
    const auto rows = causalRows(config);
    REQUIRE(logit.extent[0] == static_cast<int>(rows.size()));
    const auto [position, entry] = snapshot->pass->predicted;
    const auto logitsWith = [&](Interventions interventions) {
      LivePass fresh(transformer);
      const auto trace =
          fresh.run(snapshot->pass->trace->tokens(), interventions, snapshot->pass->trace->source());
      return (*trace)["logits"][position].copy();
    };
    const std::vector<float> whole = logitsWith(workspace.interventions);
    const std::vector<double> p = logSoftmax(whole);
    int changed = 0;
    for (int r = 0; r < logit.extent[0]; ++r)
      for (int c = 0; c < logit.extent[1]; ++c) {
        const auto part = causalPart(config, rows[static_cast<std::size_t>(r)], c);
        REQUIRE(std::isfinite(logit(r, c)) == part.has_value());
        if (!part) continue;
        Interventions both = workspace.interventions;
        both.push_back(zeroAblation(*part));
        const std::vector<float> without = logitsWith(both);
        const std::vector<double> q = logSoftmax(without);
        double divergence = 0;
        for (std::size_t v = 0; v < p.size(); ++v) divergence += std::exp(p[v]) * (p[v] - q[v]);
        const auto at = static_cast<std::size_t>(entry);
        CHECK(std::abs(logit(r, c) - (without[at] - whole[at])) < 1e-4 * (1 + std::abs(whole[at])));
        CHECK(std::abs(kl(r, c) - divergence) < 1e-4 * (1 + divergence));
        changed += logit(r, c) != 0;
        CHECK(error(r, c) == estimate(r, c) - logit(r, c));
      }
    CHECK(changed > 0);
    // The head that is off already is missed by nobody.
    for (int r = 0; r < logit.extent[0]; ++r)
      if (rows[static_cast<std::size_t>(r)].layer == 0 &&
          rows[static_cast<std::size_t>(r)].site == ownSite(config))
        CHECK(std::abs(logit(r, 1)) < 1e-5f);
  }
}

TEST_CASE("the gradient's estimate is the slope of the logit as a part fades, of all of it or at one token") {
  for (const bool byPosition : {false, true}) {
    Workspace workspace = leavingOut("stories");
    if (byPosition) workspace.settings.choose(leftOutAt, leftOutByPosition);
    const auto snapshot = latestFor(workspace);
    REQUIRE(snapshot->kept.measured);
    const ModelConfig& config = *snapshot->model->config;
    const TensorView estimate =
        (*snapshot->kept.measured)[byPosition ? causal::at(causal::estimate, true) : causal::estimate];
    const Prediction of = snapshot->pass->predicted;
    LivePass live(snapshot->model->transformer);
    // A gain of 1 ± ε in place of the part: (z₊ − z₋) / 2 ε is the slope, and its negative the estimate.
    const auto logitAt = [&](Intervention part, float gain) {
      part.kind = InterventionKind::Scale, part.value = gain;
      return static_cast<double>(
          (*live.run(snapshot->pass->trace->tokens(), {part}))["logits"](of.position, of.entry));
    };
    const auto check = [&](const Intervention& part, float told) {
      const double slope = (logitAt(part, 1.01f) - logitAt(part, 0.99f)) / 0.02;
      CHECK(std::abs(static_cast<double>(told) + slope) < 0.02 * (1 + std::abs(slope)));
    };
    if (!byPosition) {
      for (const int column : {0, 3, config.heads, config.heads + 1})
        check(*everyPartOff(config)[static_cast<std::size_t>(2 * causalColumns(config) + column)],
              estimate(2, column));
      continue;
    }
    const auto parts = positionedParts(config);
    for (const int row : {1, 4})
      check(switchedOffAt(parts[static_cast<std::size_t>(row)], of.position), estimate(row, of.position));
  }
}

TEST_CASE("held at its mean every cell is the pass with the mean over the text in that part's place") {
  for (const char* model : {"stories", "translate"})
    for (const bool byPosition : {false, true}) {
      INFO(model << (byPosition ? " by position" : ""));
      Workspace workspace = leavingOut(model);
      workspace.settings.choose(leftOutReplaced, leftOutReplacedByMean);
      if (byPosition) workspace.settings.choose(leftOutAt, leftOutByPosition);
      const auto snapshot = latestFor(workspace);
      REQUIRE(snapshot->kept.measured);
      const TensorSet& measured = *snapshot->kept.measured;
      const TensorView change = measured[byPosition ? causal::at(causal::logit, true) : causal::logit],
                       estimate =
                           measured[byPosition ? causal::at(causal::estimate, true) : causal::estimate];
      const Trace& whole = *snapshot->pass->trace;
      const auto [position, entry] = snapshot->pass->predicted;
      LivePass live(snapshot->model->transformer);
      // x + share · (x̄ − x) of what the part selects, and what the logit changes by.
      const auto changeOf = [&](Intervention part, float share) {
        const TensorView x = whole[part.point];
        std::vector<float> numbers = x.copy();
        const std::size_t T = static_cast<std::size_t>(x.extent[0]), row = numbers.size() / T;
        for (std::size_t i = 0; i < row; ++i) {
          double mean = 0;
          for (std::size_t t = 0; t < T; ++t)
            mean += static_cast<double>(numbers[t * row + i]) / static_cast<double>(T);
          for (std::size_t t = 0; t < T; ++t) {
            float& number = numbers[t * row + i];
            number += share * (static_cast<float>(mean) - number);
          }
        }
        part.kind = InterventionKind::Replace;
        part.tensor = std::make_shared<const Tensor>(
            x.rank == 3 ? Tensor({x.extent[0], x.extent[1], x.extent[2]}, std::move(numbers))
                        : Tensor({x.extent[0], x.extent[1]}, std::move(numbers)));
        return static_cast<double>(
            (*live.run(whole.tokens(), {part}, whole.source()))["logits"](position, entry) -
            whole["logits"](position, entry));
      };
      std::vector<std::pair<Intervention, std::array<int, 2>>> cells;
      if (byPosition) {
        const auto parts = positionedParts(*snapshot->model->config);
        for (const int row : {1, 4})
          for (const int at : {0, whole.tokenCount() - 1})
            cells.push_back({switchedOffAt(parts[static_cast<std::size_t>(row)], at), {row, at}});
      } else {
        const auto parts = everyPartOff(*snapshot->model->config);
        for (std::size_t i = 0; i < parts.size(); ++i)
          if (parts[i])
            cells.push_back(
                {*parts[i],
                 {static_cast<int>(i) / change.extent[1], static_cast<int>(i) % change.extent[1]}});
      }
      int moved = 0;
      for (const auto& [part, at] : cells) {
        const double told = static_cast<double>(change(at[0], at[1]));
        CHECK(std::abs(told - changeOf(part, 1)) < 1e-4 * (1 + std::abs(told)));
        moved += std::abs(told) > 1e-3;
        const double slope = (changeOf(part, 0.01f) - changeOf(part, -0.01f)) / 0.02;
        CHECK(std::abs(static_cast<double>(estimate(at[0], at[1])) - slope) < 0.02 * (1 + std::abs(slope)));
      }
      CHECK(moved > 0);
    }
}

TEST_CASE(
    "of a logit that is subtracted the map is the one map less the other, exactly and by the gradient") {
  const auto mapOf = [](const Workspace& workspace, const char* name) {
    const auto snapshot = latestFor(workspace);
    REQUIRE(snapshot->kept.measured);
    return std::pair((*snapshot->kept.measured)[name].copy(), snapshot);
  };
  Workspace workspace = leavingOut("stories");
  const auto snapshot = latestFor(workspace);
  const int answer = snapshot->pass->predicted.entry, other = answer == 40 ? 41 : 40;
  for (const char* name : {causal::logit, causal::estimate}) {
    INFO(name);
    Workspace ofOther = workspace, ofLead = workspace;
    ofOther.settings.influence.entry = other;
    ofLead.settings.choose(againstChoice, std::to_string(other));
    const auto own = mapOf(workspace, name).first, others = mapOf(ofOther, name).first;
    const auto [leads, lead] = mapOf(ofLead, name);
    int distinct = 0;
    for (std::size_t i = 0; i < leads.size(); ++i) {
      REQUIRE(std::isfinite(leads[i]) == std::isfinite(own[i]));
      if (!std::isfinite(leads[i])) continue;
      CHECK(std::abs(leads[i] - (own[i] - others[i])) < 1e-4f * (1 + std::abs(leads[i])));
      distinct += std::abs(leads[i] - own[i]) > 0.01f;
    }
    CHECK(distinct > 0);
    // ... and its numbers open: into both logits of both passes, or into products with its gradient.
    const auto& set = *lead->kept.measured;
    const std::array<int, maxRank> cell{2, 1};
    if (std::string_view(name) == causal::estimate) {
      const auto made = set.derive(name, cell);
      REQUIRE(made);
      CHECK(std::abs(made->value() -
                     static_cast<double>(leads[static_cast<std::size_t>(2 * set[name].extent[1] + 1)])) <
            1e-4);
    }
  }
}

TEST_CASE("ablation is measured of both texts that are compared, and their difference is here minus there") {
  Workspace workspace = leavingOut("stories");
  const std::string
      tired = "The animal didn't cross the street because it was too tired. What was too tired? The",
      wide = "The animal didn't cross the street because it was too wide. What was too wide? The";
  for (const char* at : {"", leftOutByPosition}) {
    INFO(at);
    setTabs(workspace, {TabText(tired), TabText(wide)}, 0);
    workspace.settings.choose(leftOutAt, at);
    const std::string name = causal::at(causal::logit, *at != '\0');
    workspace.comparison.with = OtherText{1}, workspace.comparison.mode = ComparisonMode::Difference;
    const auto snapshot = latestFor(workspace);
    REQUIRE(snapshot->difference);
    const TensorView here = (*snapshot->kept.measured)[name], there = (*snapshot->other->kept.measured)[name],
                     difference = (*snapshot->difference->kept.measured)[name];
    REQUIRE(difference.size() == here.size());  // the texts differ in two tokens, place by place
    float most = 0;
    here.forEach([&](const std::array<int, maxRank>& index, float number) {
      const float apart = difference.at(index);
      const bool isSame = std::isnan(number) ? std::isnan(apart) : apart == number - there.at(index);
      CHECK(isSame);
      if (!std::isnan(apart)) most = std::max(most, std::abs(apart));
    });
    CHECK(most > 1);

    // The same as of that text alone, about the same entry.
    workspace.comparison.with = Comparison::off;
    workspace.settings.influence.entry = snapshot->pass->predicted.entry;
    setTabs(workspace, {TabText(wide)}, 0);
    CHECK((*latestFor(workspace)->kept.measured)[name].copy() == there.copy());
    workspace.settings.influence.entry = -1;
  }
}

TEST_CASE("every part that can be switched off is in the causal map once") {
  const ModelLibrary library(SOURCE_FOLDER "/build");
  for (const char* model : {"stories", "induction", "translate", "fill", "worked"}) {
    const ModelConfig config = library.load(model)->transformer->config();
    std::vector<ModelPart> expected = wholeParts(config), found;
    for (const CausalRow& row : causalRows(config))
      for (int c = 0; c < causalColumns(config); ++c)
        if (const auto part = causalPart(config, row, c); part && part->kind != ModelPart::Kind::Head)
          found.push_back(*part);
    INFO(model);
    CHECK(found.size() == expected.size());
    for (const ModelPart& part : expected) CHECK(std::ranges::count(found, part) == 1);
  }
}

TEST_CASE(
    "every cell of the causal map by position is the pass computed alone without that part at that token, in "
    "every model that ships",
    "[accuracy]") {
  const ModelLibrary library(SOURCE_FOLDER "/build");
  CHECK(library.builtIn().size() >= 13);
  for (const ModelLibrary::Entry& model : library.builtIn()) {
    INFO(model.name);
    Workspace workspace = leavingOut(model.name.c_str());
    workspace.settings.choices[leftOutAt] = leftOutByPosition;
    const auto transformer = library.load(model.name)->transformer;
    const auto snapshot = latestFor(workspace);
    REQUIRE(snapshot->kept.measured);
    const TensorView logit = (*snapshot->kept.measured)[causal::at(causal::logit, true)];
    const auto parts = positionedParts(transformer->config());
    REQUIRE(logit.extent[0] == static_cast<int>(parts.size()));
    REQUIRE(logit.extent[1] == snapshot->pass->trace->tokenCount());
    const auto [position, entry] = snapshot->pass->predicted;
    const auto logitWith = [&](const Interventions& interventions) {
      LivePass fresh(transformer);
      const auto trace =
          fresh.run(snapshot->pass->trace->tokens(), interventions, snapshot->pass->trace->source());
      return (*trace)["logits"](position, entry);
    };
    const float whole = logitWith({});
    Random random(3);
    for (int i = 0; i < 200; ++i) {
      const int row = random.below(logit.extent[0]), at = random.below(logit.extent[1]);
      const float without = logitWith({switchedOffAt(parts[static_cast<std::size_t>(row)], at)});
      CHECK(std::abs(logit(row, at) - (without - whole)) < 1e-4f * (1 + std::abs(whole)));
    }
    const std::vector<float> all = logit.copy();
    CHECK(std::ranges::any_of(all, [](float change) { return std::abs(change) > 0.1f; }));
  }
}
