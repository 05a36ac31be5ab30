#include "app/engine/counterfactual_search.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "app/document/history.h"
#include "app/document/model_commands.h"
#include "core/lens/contributions.h"
#include "tests/app/engine/first_told.h"
#include "tests/app/engine/latest_for.h"
#include "tests/sanitized.h"

using namespace glassformer;

namespace {

Workspace searching(const std::string& model) {
  Workspace workspace = initialWorkspace();
  commands::setModel(model).apply(workspace);
  workspace.view = "influence", workspace.settings.pictures["influence"] = "smallest change";
  workspace.settings.choose(changesTried, "few");
  return workspace;
}

int answerIn(const Snapshot& snapshot, int position) {
  return likeliestEntry(*snapshot.pass->trace, position);
}

}  // namespace

TEST_CASE("a change that is taken gives the answer that was told, with its probability") {
  for (const char* model : {"stories", "induction", "translate", "fill", "letters", "sort"}) {
    INFO(model);
    if (isSanitized && model[0] != 't' && model[0] != 'l') continue;  // one with a source, one without
    Workspace workspace = searching(model);
    if (std::string(model) == "stories") workspace.text += " What was too tired? The";
    const auto snapshot = latestFor(workspace);
    REQUIRE(snapshot->kept.measured);
    const int position = snapshot->pass->predicted.position, answer = answerIn(*snapshot, position);
    const TensorSet& set = *snapshot->kept.measured;
    const TensorView counts = set[changes::replacementCounts];
    CHECK(counts(0) == std::min(counts(1), 2000.0f));
    REQUIRE(set.contains(changes::replacements));
    const TensorView rows = set[changes::replacements], p = set[changes::replacementP];
    int taken = 0;
    for (int i = 0; i < std::min(rows.extent[0], 12); ++i) {
      const TokenReplacement change{rows(i, changes::inSource) != 0 ? Stream::Source : Stream::Text,
                                    static_cast<int>(rows(i, changes::position)),
                                    static_cast<int>(rows(i, changes::token))};
      const auto written = writtenWith(*snapshot, change);
      CHECK(written.has_value() == (rows(i, changes::isSpelled) != 0));
      if (!written) continue;
      Workspace other = workspace;
      other.selection.query = position, other.settings.pictures.clear();  // nothing is searched anew
      commands::takeReplacement({workspace.text, workspace.source}, *written).apply(other);
      const auto now = latestFor(other);
      CHECK(answerIn(*now, position) == static_cast<int>(rows(i, changes::newAnswer)));
      CHECK(answerIn(*now, position) != answer);
      const std::vector<float> z = (*now->pass->trace)["logits"][position].copy();
      double sum = 0;
      for (const float each : z) sum += std::exp(static_cast<double>(each));
      const double share =
          std::exp(static_cast<double>(z[static_cast<std::size_t>(answerIn(*now, position))])) / sum;
      CHECK(std::abs(p(i, changes::newAfter) - share) < 1e-4);
      ++taken;
    }
    CHECK(taken > 0);
  }
}

TEST_CASE(
    "heads that are switched off together give the answer that was told; undo brings them back at once") {
  Workspace workspace = searching("stories");
  workspace.text += " What was too tired? The";
  const auto snapshot = latestFor(workspace);
  REQUIRE(snapshot->kept.measured);
  const int position = snapshot->pass->predicted.position;
  const TensorView sizes = (*snapshot->kept.measured)[changes::headCounts];
  REQUIRE(snapshot->kept.measured->contains(changes::headSets));
  const TensorView sets = (*snapshot->kept.measured)[changes::headSets],
                   p = (*snapshot->kept.measured)[changes::headP];
  const int last = sizes.extent[0] - 1;
  CHECK(sizes(last, 0) == static_cast<float>(sets.extent[1]));
  for (int i = 0; i < last; ++i) CHECK(sizes(i, 1) == sizes(i, 2));  // nothing smaller was left out
  const std::vector<HeadId> heads = everyHead(*snapshot->model->config);
  Interventions off;
  for (int k = 0; k < sets.extent[1]; ++k)
    off.push_back(headOff(heads[static_cast<std::size_t>(sets(0, k))]));
  Workspace other = workspace;
  const Command take = commands::takeInterventions(off);
  CHECK(take.undoName == "ablation of heads");
  take.apply(other), other.settings.pictures.clear();
  CHECK(static_cast<int>(other.interventions.size()) == sets.extent[1]);
  const auto now = latestFor(other);
  CHECK(answerIn(*now, position) == static_cast<int>((*snapshot->kept.measured)[changes::headAnswer](0)));
  CHECK(p(0, changes::newAfter) > p(0, changes::newBefore));
}

TEST_CASE("what makes a head look elsewhere is taken as what changes an answer") {
  using enum AttentionSite;
  int oneKeyAlone = 0;
  struct Looking {
    const char* model;
    HeadId head;
    int query;
  };
  for (const auto& [model, head, query] : {Looking{"stories", {2, 0, Self}, 8},
                                           {"translate", {1, 0, Encoder}, 2},
                                           {"translate", {1, 1, Cross}, 0},
                                           {"fill", {1, 1, Self}, 3}}) {
    INFO(model << " " << nameOf(head));
    if (isSanitized && head.site != Cross) continue;
    Workspace workspace = searching(model);
    workspace.settings.choose(flipsAsked, flipsOfHead);
    workspace.selection.layer = head.layer, workspace.selection.head = head.head;
    workspace.selection.site = head.site;
    (queriesOf(head.site) == Stream::Source ? workspace.selection.source : workspace.selection.query) = query;
    const auto looksAt = [&](const Snapshot& snapshot) {
      const std::vector<float> row =
          (*snapshot.pass->trace)[attentionPoint(head.layer, head.site, "hook_pattern")][head.head][query]
              .copy();
      return static_cast<int>(std::ranges::max_element(row) - row.begin());
    };
    const auto snapshot = latestFor(workspace);
    REQUIRE(snapshot->kept.measured);
    const TensorSet& set = *snapshot->kept.measured;
    const int key = looksAt(*snapshot);
    REQUIRE(set.contains(changes::lookedAt));
    CHECK(set[changes::lookedAt](0) == static_cast<float>(query));
    CHECK(set[changes::lookedAt](1) == static_cast<float>(key));
    REQUIRE(set.contains(changes::replacements));
    const TensorView rows = set[changes::replacements];
    int taken = 0, wanted = -1;
    for (int i = 0; i < std::min(rows.extent[0], 6); ++i) {
      const TokenReplacement change{rows(i, changes::inSource) != 0 ? Stream::Source : Stream::Text,
                                    static_cast<int>(rows(i, changes::position)),
                                    static_cast<int>(rows(i, changes::token))};
      wanted = static_cast<int>(rows(i, changes::newAnswer));
      CHECK(wanted != key);
      const auto written = writtenWith(*snapshot, change);
      if (!written) continue;
      Workspace other = workspace;
      commands::takeReplacement({workspace.text, workspace.source}, *written).apply(other);
      other.settings.pictures.clear();
      CHECK(looksAt(*latestFor(other)) == wanted);
      ++taken;
    }
    CHECK(taken > 0);
    // One key alone: a key that the head looks at already is no other.
    workspace.settings.choose(wantedKey, std::to_string(wanted));
    const auto towards = latestFor(workspace);
    if (towards->kept.measured->contains(changes::replacements)) {  // among so few guesses none may do
      const TensorView all = (*towards->kept.measured)[changes::replacements];
      for (int i = 0; i < all.extent[0]; ++i) CHECK(all(i, changes::newAnswer) == static_cast<float>(wanted));
      ++oneKeyAlone;
    }
    CHECK(changesAsked(workspace, *towards)->target == wanted);
    workspace.settings.choose(wantedKey, std::to_string(key));
    CHECK(changesAsked(workspace, *towards)->target == -1);
  }
  if (!isSanitized) CHECK(oneKeyAlone > 0);
}

TEST_CASE("fewer guesses are told to be fewer, and find no more", "[accuracy]") {
  Workspace workspace = searching("stories");
  const auto some = latestFor(workspace);
  const TensorView few = (*some->kept.measured)[changes::replacementCounts];
  CHECK(few(0) == 2000);
  CHECK(few(1) > 10000);
  workspace.settings.choose(changesTried, "all");
  const auto every = latestFor(workspace);
  const TensorView all = (*every->kept.measured)[changes::replacementCounts];
  CHECK(all(0) == all(1));
  CHECK(all(1) == few(1));
  CHECK(all(2) > few(2));
}

TEST_CASE("the first changes of the answer are seen as they come, the best guesses first") {
  Workspace workspace = searching("stories");
  workspace.settings.choose(changesTried, "");
  workspace.text += " What was too tired? The";
  FirstTold first(workspace);
  CounterfactualSearch search(1);
  const int asked =
      first.askedBefore(search, [](const TensorSet& told) { return told.contains(changes::replacements); });
  constexpr int atOnce = 64, begun = 1;
  REQUIRE(asked > 0);
  CHECK(asked <= 2 * atOnce + begun);
}
