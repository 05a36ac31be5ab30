#include "core/decode/speculative.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <map>

#include "tests/core/decode/small_language.h"
#include "tests/sanitized.h"

using namespace glassformer;

namespace {

// A language like the small one, but not the same.
std::vector<float> draftLanguage(std::span<const int> tokens) {
  std::vector<float> logits = smallLanguage(tokens);
  Random random(static_cast<std::uint64_t>(tokens.back()) + 77);
  for (float& logit : logits) logit += static_cast<float>(random.normal());
  return logits;
}

LogitsOfPrefixes prefixesOf(int& passes) {
  return [&passes](std::span<const int> tokens, int count) {
    ++passes;
    std::vector<std::vector<float>> logits;
    for (int i = count - 1; i >= 0; --i)
      logits.push_back(smallLanguage(tokens.first(tokens.size() - static_cast<std::size_t>(i))));
    return logits;
  };
}

struct Told {
  std::vector<int> tokens;
  std::vector<SpeculativeRound> rounds;
};

Told speculate(const std::vector<int>& prompt, const SamplingSettings& settings, int proposals, int count,
               int context = 1000, int stop = -1) {
  Speculation speculation(prompt, settings, proposals, count, context, stop);
  int passes = 0;
  const LogitsOfPrefixes model = prefixesOf(passes);
  Told told;
  while (!speculation.isDone()) told.rounds.push_back(speculation.advance(model, draftLanguage));
  CHECK(passes == static_cast<int>(told.rounds.size()));
  told.tokens.assign(speculation.text().begin() + static_cast<std::ptrdiff_t>(prompt.size()),
                     speculation.text().end());
  return told;
}

// ln P that sampling by the small language alone goes on so.
double probability(std::vector<int> text, const std::vector<int>& added, const StageNumbers& stages) {
  double p = 1;
  for (const int token : added) {
    p *= probabilityOf(narrowed(candidatesOf(smallLanguage(text), text), stages), token);
    text.push_back(token);
  }
  return p;
}

}  // namespace

TEST_CASE("what a draft proposes and the model corrects is distributed as what the model draws alone") {
  const std::vector<int> prompt{1, 4};
  for (const StageNumbers& stages : {StageNumbers{}, StageNumbers{{"temperature", 0.7f}, {"top-k", 4}}}) {
    const int draws = times(100000);
    constexpr int length = 3;
    std::map<std::vector<int>, int> counts;
    for (int i = 0; i < draws; ++i) {
      Speculation speculation(prompt, {.stages = stages, .seed = static_cast<std::uint64_t>(i)}, 2, length,
                              100);
      int passes = 0;
      const LogitsOfPrefixes model = prefixesOf(passes);
      while (!speculation.isDone()) speculation.advance(model, draftLanguage);
      ++counts[{speculation.text().begin() + 2, speculation.text().end()}];
    }
    // Pearson's chi-square over all texts that are expected at least ten times, the others as one.
    double chi = 0, rest = draws, restSeen = draws;
    int cells = 0;
    for (const auto& [tokens, count] : counts) {
      REQUIRE(tokens.size() == length);
      const double expected = draws * probability(prompt, tokens, stages);
      REQUIRE(expected > 0);
      if (expected < 10) continue;
      chi += (count - expected) * (count - expected) / expected;
      rest -= expected, restSeen -= count, ++cells;
    }
    if (rest > 10) chi += (restSeen - rest) * (restSeen - rest) / rest;
    INFO("chi-square " << chi << " with " << cells << " degrees of freedom");
    REQUIRE(cells > 10);
    CHECK(chi < cells + 4 * std::sqrt(2.0 * cells));  // four deviations
  }
}

TEST_CASE("a proposal is accepted as often as the two distributions overlap") {
  const std::vector<int> prompt{1, 4};
  const double beta = overlap(candidatesOf(smallLanguage(prompt)), candidatesOf(draftLanguage(prompt)));
  constexpr int draws = 40000;
  int accepted = 0;
  for (int i = 0; i < draws; ++i)
    accepted +=
        speculate(prompt, {.seed = static_cast<std::uint64_t>(i)}, 1, 1).rounds[0].proposals[0].accepted;
  CHECK(accepted / static_cast<double>(draws) == Catch::Approx(beta).margin(4 * std::sqrt(0.25 / draws)));
  CHECK(beta < 0.95);
  // min(p, q) and what p has beyond it are p again.
  const Candidates p = candidatesOf(smallLanguage(prompt)), q = candidatesOf(draftLanguage(prompt));
  for (const Candidate& c : p)
    CHECK(std::min(c.probability, probabilityOf(q, c.token)) +
              (1 - beta) * probabilityOf(beyond(p, q), c.token) ==
          Catch::Approx(c.probability));
  CHECK(probabilityOf(beyond(p, p), p.front().token) == Catch::Approx(p.front().probability));
}

TEST_CASE("greedy speculation says what greedy decoding says, in fewer passes") {
  const std::vector<int> prompt{1, 4};
  const SamplingSettings greedy{.greedy = true};
  for (const int proposals : {1, 3, 6})
    for (const int count : {1, 4, 20}) {
      const Told told = speculate(prompt, greedy, proposals, count);
      CHECK(told.tokens == generate(smallLanguage, prompt, count, greedy, 1000));
    }
  CHECK(speculate(prompt, greedy, 4, 60).rounds.size() < 60);
}

TEST_CASE("speculation ends where the text does, at the context, and never adds more than was asked for") {
  const std::vector<int> prompt{1, 4};
  for (std::uint64_t seed = 0; seed < 300; ++seed)
    for (const int proposals : {1, 2, 5}) {
      const Told told = speculate(prompt, {.seed = seed}, proposals, 7, 8, 3);
      CHECK(told.tokens.size() <= 6);
      const auto end = std::ranges::find(told.tokens, 3);
      CHECK((end == told.tokens.end() ? told.tokens.size() == 6 : end + 1 == told.tokens.end()));
      std::vector<int> added;
      for (const SpeculativeRound& round : told.rounds)
        for (const int token : round.added()) added.push_back(token);
      CHECK(added == told.tokens);
    }
}
