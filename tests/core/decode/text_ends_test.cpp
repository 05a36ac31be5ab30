// Every way to decode ends behind any of the tokens that end a text.
#include "core/text/text_ends.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "core/decode/exact_search.h"
#include "core/decode/many_samples.h"
#include "core/decode/speculative.h"
#include "core/random.h"

using namespace glassformer;

namespace {

constexpr int ownLetters = 6, deepest = 12;
const TextEnds several({2, 5});

// Logits that only the text decides.
NextTokenLogits languageOf(std::uint64_t seed) {
  return [seed](std::span<const int> text) {
    std::uint64_t state = seed;
    for (const int token : text) state = state * 31 + static_cast<std::uint64_t>(token) + 7;
    Random random(state);
    std::vector<float> logits;
    for (int v = 0; v < ownLetters; ++v) logits.push_back(static_cast<float>(2 * random.normal()));
    return logits;
  };
}

// Over behind the first end, and not before.
bool isRight(const std::vector<int>& added) {
  const auto first = std::ranges::find_if(added, [](int token) { return several.contains(token); });
  return first == added.end() ? static_cast<int>(added.size()) == deepest : first + 1 == added.end();
}

}  // namespace

TEST_CASE("no end, one end and several are lists of tokens") {
  CHECK(TextEnds() == TextEnds(-1));
  CHECK(TextEnds(4) == TextEnds(std::vector<int>{4}));
  CHECK_FALSE(TextEnds(-1).contains(-1));
  CHECK((several.contains(2) && several.contains(5) && !several.contains(3)));
}

TEST_CASE("greedy decoding, samples, drafts, beams and exact search end behind each of several ends") {
  int ended[2] = {0, 0};
  const std::vector<int> prompt{0, 1};
  const auto look = [&](const std::vector<int>& added) {
    CHECK(isRight(added));
    if (!added.empty() && several.contains(added.back())) ++ended[added.back() == 5];
  };
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    INFO("seed " << seed);
    const NextTokenLogits language = languageOf(seed), other = languageOf(seed + 100);
    look(generate(language, prompt, deepest, {.greedy = true}, 99, several));
    look(generate(language, prompt, deepest, {.seed = seed}, 99, several));
    ManySamples samples(prompt, {.seed = seed}, 8, deepest, 99, several);
    while (!samples.isDone()) samples.advance(language);
    for (const Continuation& one : samples.continuations()) look(one.tokens);
    Speculation speculation(prompt, {.seed = seed}, 3, deepest, 99, several);
    const LogitsOfPrefixes model = [&](std::span<const int> tokens, int count) {
      std::vector<std::vector<float>> all;
      for (int i = count - 1; i >= 0; --i)
        all.push_back(language(tokens.first(tokens.size() - static_cast<std::size_t>(i))));
      return all;
    };
    while (!speculation.isDone()) speculation.advance(model, other);
    look({speculation.text().begin() + 2, speculation.text().end()});
    const BeamSettings settings{.width = 4, .depth = deepest, .endOfText = several};
    const BeamTree tree = beamSearch(language, prompt, settings);
    for (const int hypothesis : tree.hypotheses) look(tree.path(hypothesis));
    ExactSearch exact(prompt, settings);
    exact.know(tree.path(tree.best), tree.nodes[static_cast<std::size_t>(tree.best)].cumulative);
    while (!exact.isDone()) exact.advance(language);
    look(exact.best());
  }
  CHECK((ended[0] > 20 && ended[1] > 20));
}
