#include "core/decode/beam_search.h"

#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "core/decode/exact_search.h"
#include "core/random.h"

using namespace glassformer;

namespace {

// A language of `vocabulary` tokens with a fixed random distribution after every history.
NextTokenLogits randomLanguage(int vocabulary, std::uint64_t seed) {
  return [=](std::span<const int> tokens) {
    std::uint64_t history = seed;
    for (const int t : tokens) history = mix(history + static_cast<std::uint64_t>(t) + 1);
    Random random(history);
    std::vector<float> logits;
    for (int v = 0; v < vocabulary; ++v) logits.push_back(static_cast<float>(2 * random.normal()));
    return logits;
  };
}

struct Best {
  double score = -1e300;
  std::vector<int> tokens;
};

// Every continuation, to its end or to the depth.
void enumerate(const NextTokenLogits& language, std::vector<int>& tokens, std::size_t prompt,
               double cumulative, const BeamSettings& settings, Best& best) {
  const auto length = static_cast<int>(tokens.size() - prompt);
  if (length > 0 && (length == settings.depth || settings.endOfText.contains(tokens.back()))) {
    const double score = cumulative / std::pow(length, settings.lengthPenalty);
    if (score > best.score)
      best = {score, {tokens.begin() + static_cast<std::ptrdiff_t>(prompt), tokens.end()}};
    return;
  }
  const auto logProbability = logSoftmax(language(tokens));
  for (int v = 0; v < static_cast<int>(logProbability.size()); ++v) {
    tokens.push_back(v);
    enumerate(language, tokens, prompt, cumulative + logProbability[static_cast<std::size_t>(v)], settings,
              best);
    tokens.pop_back();
  }
}

}  // namespace

TEST_CASE("a beam as wide as the language finds what exhaustive search finds") {
  for (std::uint64_t seed = 1; seed <= 8; ++seed)
    for (const float penalty : {0.f, 0.7f, 1.f}) {
      const auto language = randomLanguage(4, seed);
      BeamSettings settings{.width = 256, .depth = 4, .lengthPenalty = penalty, .endOfText = 3};
      std::vector<int> prompt{1, 2};
      Best best;
      enumerate(language, prompt, 2, 0, settings, best);
      const BeamTree tree = beamSearch(language, prompt, settings);
      CHECK(tree.path(tree.best) == best.tokens);
      CHECK(tree.nodes[static_cast<std::size_t>(tree.best)].score == Catch::Approx(best.score));
    }
}

TEST_CASE("exact search finds what exhaustive search finds, and asks the model less often") {
  for (std::uint64_t seed = 1; seed <= 12; ++seed)
    for (const float penalty : {0.f, 0.7f, 2.f})
      for (const bool knowsBeam : {false, true}) {
        const auto language = randomLanguage(4, seed);
        const BeamSettings settings{.width = 2, .depth = 5, .lengthPenalty = penalty, .endOfText = 3};
        std::vector<int> prompt{1, 2};
        Best best;
        enumerate(language, prompt, 2, 0, settings, best);
        ExactSearch search(prompt, settings);
        const BeamTree tree = beamSearch(language, prompt, settings);
        const BeamNode& found = tree.nodes[static_cast<std::size_t>(tree.best)];
        if (knowsBeam) search.know(tree.path(tree.best), found.cumulative);
        while (!search.isDone()) search.advance(language);
        CHECK(search.best() == best.tokens);
        CHECK(search.score() == Catch::Approx(best.score));
        CHECK(search.score() >= found.score - 1e-9);
        CHECK(search.calls() < 1 + 3 + 9 + 27 + 81);  // every prefix that does not end
      }
}

TEST_CASE("width one is greedy, and a wider beam never scores worse here") {
  const auto language = randomLanguage(20, 3);
  const std::vector<int> prompt{5};
  const BeamTree greedy = beamSearch(language, prompt, {.width = 1, .depth = 6});
  std::vector<int> tokens = prompt;
  for (int i = 0; i < 6; ++i) {
    const auto logits = language(tokens);
    tokens.push_back(static_cast<int>(std::ranges::max_element(logits) - logits.begin()));
  }
  CHECK(greedy.path(greedy.best) == std::vector<int>(tokens.begin() + 1, tokens.end()));
  for (const BeamNode& node : greedy.nodes) CHECK(node.greedy == (node.state != BeamState::Pruned));
  const BeamTree wide = beamSearch(language, prompt, {.width = 5, .depth = 6});
  CHECK(wide.nodes[static_cast<std::size_t>(wide.best)].score >=
        greedy.nodes[static_cast<std::size_t>(greedy.best)].score);
}

TEST_CASE("every candidate has its rank, and every pruned one a better node that beat it") {
  const BeamTree tree =
      beamSearch(randomLanguage(12, 9), std::vector{0}, {.width = 3, .depth = 5, .candidates = 12});
  std::map<int, std::vector<const BeamNode*>> byDepth;
  for (const BeamNode& node : tree.nodes) {
    if (node.parent < 0) continue;
    byDepth[node.depth].push_back(&node);
    const BeamNode& parent = tree.nodes[static_cast<std::size_t>(node.parent)];
    CHECK(parent.state == BeamState::Kept);
    CHECK(node.cumulative == Catch::Approx(parent.cumulative + node.logProbability));
    if (node.state == BeamState::Pruned) {
      const BeamNode& winner = tree.nodes[static_cast<std::size_t>(node.beatenBy)];
      CHECK(winner.state != BeamState::Pruned);
      CHECK(winner.depth == node.depth);
      CHECK(winner.score >= node.score);
    }
  }
  CHECK(byDepth[1].size() == 12);
  for (int depth = 2; depth <= 5; ++depth) CHECK(byDepth[depth].size() == 36);
  for (auto& [depth, nodes] : byDepth) {
    std::ranges::sort(nodes, {}, &BeamNode::rank);
    for (std::size_t i = 0; i < nodes.size(); ++i) CHECK(nodes[i]->rank == static_cast<int>(i) + 1);
    CHECK(std::ranges::is_sorted(nodes, std::greater{}, &BeamNode::score));
  }
}

TEST_CASE("the search stops at the model's context and when it is cancelled") {
  const auto language = randomLanguage(6, 2);
  const BeamTree full = beamSearch(language, std::vector{1, 2, 3}, {.width = 2, .depth = 10, .context = 4});
  CHECK(std::ranges::max(full.nodes, {}, &BeamNode::depth).depth == 2);
  int calls = 0;
  const BeamTree stopped = beamSearch(language, std::vector{1}, {.width = 2, .depth = 10},
                                      [&](int done, int) { return done == calls++ && calls < 4; });
  CHECK(calls == 4);
  CHECK(stopped.cancelled);
  CHECK(stopped.best >= 0);
}

TEST_CASE("the search counts its calls of the model and says when it is through") {
  const auto language = randomLanguage(6, 2);
  std::vector<int> told;
  int called = 0;
  const NextTokenLogits counted = [&](std::span<const int> tokens) {
    ++called;
    return language(tokens);
  };
  const BeamTree tree =
      beamSearch(counted, std::vector{1}, {.width = 3, .depth = 5}, [&](int done, int total) {
        CHECK(total == 1 + 4 * 3);
        told.push_back(done);
        return true;
      });
  CHECK_FALSE(tree.cancelled);
  CHECK(called == 13);
  std::vector<int> all(14);
  std::iota(all.begin(), all.end(), 0);
  CHECK(told == all);
}

TEST_CASE("penalties rank a beam anew without asking the model again") {
  int asked = 0;
  const auto language = randomLanguage(12, 5);
  const NextTokenLogits counted = [&](std::span<const int> tokens) { return ++asked, language(tokens); };
  KnownAnswers known;
  const NextTokenLogits remembered = known.before(counted);
  const std::vector<int> prompt{3};
  // All that a beam of 12 reaches in two steps is known, whatever it is ranked by.
  const BeamSettings plain{.width = 12, .depth = 2, .endOfText = 1};
  const BeamTree first = beamSearch(remembered, prompt, plain);
  const int before = asked;
  for (const float length : {0.5f, 1.f, 2.f})
    for (const float siblings : {0.f, 0.5f, 3.f}) {
      BeamSettings otherwise = plain;
      otherwise.lengthPenalty = length, otherwise.siblingPenalty = siblings;
      const BeamTree tree = beamSearch(remembered, prompt, otherwise),
                     alone = beamSearch(language, prompt, otherwise);
      CHECK(tree.hypotheses == alone.hypotheses);
    }
  CHECK(asked == before);
  known.forget();
  beamSearch(remembered, prompt, plain);
  CHECK(asked == 2 * before);
}

TEST_CASE("a penalty of siblings takes gamma times their place from each, and leaves scores alone") {
  std::size_t without = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed)
    for (const float penalty : {0.f, 100.f}) {
      const BeamTree tree = beamSearch(randomLanguage(9, seed), std::vector{2},
                                       {.width = 4, .depth = 3, .siblingPenalty = penalty});
      std::map<int, int> placeIn;
      for (const BeamNode& node : tree.nodes) {
        if (node.parent < 0) continue;
        CHECK(node.score - node.ranked == Catch::Approx(penalty * placeIn[node.parent]++));
        CHECK(node.score == Catch::Approx(node.cumulative));
      }
      std::set<int> parents;
      for (const int node : tree.hypotheses)
        parents.insert(tree.nodes[static_cast<std::size_t>(node)].parent);
      if (penalty > 0)
        CHECK(parents.size() == 4);  // one of each
      else
        without += parents.size();
    }
  CHECK(without < 40);
}

TEST_CASE("hypotheses come best first; stopping early stops where the best of the beam has ended") {
  int worse = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const auto language = randomLanguage(5, seed);
    BeamSettings settings{.width = 3, .depth = 8, .lengthPenalty = 1, .endOfText = 2};
    const std::vector<int> prompt{1};
    const BeamTree whole = beamSearch(language, prompt, settings);
    REQUIRE(whole.best == whole.hypotheses.front());
    for (std::size_t i = 1; i < whole.hypotheses.size(); ++i)
      CHECK(whole.nodes[static_cast<std::size_t>(whole.hypotheses[i - 1])].score >=
            whole.nodes[static_cast<std::size_t>(whole.hypotheses[i])].score);
    settings.stopsEarly = true;
    const BeamTree early = beamSearch(language, prompt, settings);
    CHECK(early.endedAt == whole.endedAt);
    if (whole.firstEnded < 0) continue;
    // It is what the whole search says that it would be.
    CHECK(early.best == early.firstEnded);
    CHECK(early.path(early.best) == whole.path(whole.firstEnded));
    const auto score = [](const BeamTree& tree) {
      return tree.nodes[static_cast<std::size_t>(tree.best)].score;
    };
    CHECK(score(early) <= score(whole) + 1e-12);
    worse += score(early) < score(whole) - 1e-9;
  }
  CHECK(worse > 0);  // with a length penalty it costs something
}

// By hand: after every text p = (0.5, 0.3, 0.2) for the tokens a, b, c. Two groups of one hypothesis, λ = 1.
// The first takes a each time. The second sees ln 0.5 − 1 = −1.69 for a, ln 0.3 = −1.20 for b: it takes b,
// and at every depth again, for a is taken there anew: ln 0.3 − 1.69 against ln 0.3 − 1.20.
TEST_CASE("the second group of a diverse beam leaves what the first one took, worked by hand") {
  const NextTokenLogits language = [](std::span<const int>) {
    return std::vector<float>{std::log(0.5f), std::log(0.3f), std::log(0.2f)};
  };
  BeamSettings settings{.width = 2, .depth = 3, .groups = 2, .groupPenalty = 1};
  const BeamTree tree = beamSearch(language, std::vector{0}, settings);
  REQUIRE(tree.hypotheses.size() == 2);
  CHECK(tree.path(tree.hypotheses[0]) == std::vector{0, 0, 0});
  CHECK(tree.path(tree.hypotheses[1]) == std::vector{1, 1, 1});
  const BeamNode& second = tree.nodes[static_cast<std::size_t>(tree.hypotheses[1])];
  CHECK(second.group == 1);
  CHECK(second.score == Catch::Approx(3 * std::log(0.3)));  // scores are without it
  for (const BeamNode& node : tree.nodes)
    if (node.group == 1 && node.token == 0) {
      CHECK(node.repeats == 1);
      CHECK(node.ranked == Catch::Approx(node.score - 1));
      CHECK(node.state == BeamState::Pruned);
    } else {
      CHECK(node.repeats == 0);
    }
  // λ = 0.4 is less than ln 0.5 − ln 0.3 = 0.51: both take a.
  settings.groupPenalty = 0.4f;
  const BeamTree alike = beamSearch(language, std::vector{0}, settings);
  CHECK(alike.path(alike.hypotheses[1]) == std::vector{0, 0, 0});
  // The third of three groups sees two hypotheses with a, λ = 0.3: ln 0.5 − 0.6 < ln 0.3.
  settings = {.width = 3, .depth = 1, .groups = 3, .groupPenalty = 0.3f};
  const BeamTree three = beamSearch(language, std::vector{0}, settings);
  std::vector<int> taken(3);
  for (const int n : three.hypotheses) {
    const BeamNode& node = three.nodes[static_cast<std::size_t>(n)];
    taken[static_cast<std::size_t>(node.group)] = node.token;
  }
  CHECK(taken == std::vector{0, 0, 1});
}

TEST_CASE("one group is the plain beam, and without a penalty every group is one of its width") {
  const std::vector<int> prompt{1, 2};
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const auto language = randomLanguage(9, seed);
    BeamSettings plain{.width = 3, .depth = 5, .lengthPenalty = 0.6f, .endOfText = 4};
    const BeamTree beam = beamSearch(language, prompt, plain);
    BeamSettings one = plain;
    one.groupPenalty = 2;
    CHECK(beamSearch(language, prompt, one).hypotheses == beam.hypotheses);
    std::set<std::vector<int>> texts;
    for (const int n : beam.hypotheses) texts.insert(beam.path(n));
    BeamSettings grouped = plain;
    grouped.width = 9, grouped.groups = 3, grouped.groupPenalty = 0;
    const BeamTree groups = beamSearch(language, prompt, grouped);
    REQUIRE(groups.hypotheses.size() == 9);
    std::map<int, std::set<std::vector<int>>> byGroup;
    for (const int n : groups.hypotheses)
      byGroup[groups.nodes[static_cast<std::size_t>(n)].group].insert(groups.path(n));
    CHECK(byGroup.size() == 3);
    for (const auto& [group, own] : byGroup) CHECK(own == texts);
  }
}

TEST_CASE("groups share the width, ask the model once for the text, and differ more the more it costs") {
  const auto language = randomLanguage(12, 5);
  const std::vector<int> prompt{3};
  int calls = 0;
  const NextTokenLogits counted = [&](std::span<const int> tokens) {
    ++calls;
    return language(tokens);
  };
  BeamSettings settings{.width = 7, .depth = 4, .groups = 3};
  const auto firstTokens = [&](float penalty) {
    settings.groupPenalty = penalty;
    calls = 0;
    const BeamTree tree = beamSearch(counted, prompt, settings);
    CHECK(calls <= 1 + 3 * 7);
    std::map<int, int> sizes;
    std::set<int> firsts;
    for (const int n : tree.hypotheses) {
      ++sizes[tree.nodes[static_cast<std::size_t>(n)].group];
      firsts.insert(tree.path(n).front());
    }
    CHECK(sizes == std::map<int, int>{{0, 3}, {1, 2}, {2, 2}});
    return firsts.size();
  };
  CHECK(firstTokens(4) > firstTokens(0));
  settings.groups = 50;  // no more than there are hypotheses
  CHECK(beamSearch(language, prompt, settings).groups == 7);
}
