#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <regex>
#include <set>

#include "core/decode/beam_search.h"
#include "core/decode/constraint_check.h"
#include "core/decode/many_samples.h"
#include "core/decode/sampling_chain.h"
#include "core/text/characters.h"

using namespace glassformer;

namespace {

std::shared_ptr<const Tokenizer> letters() {
  static const auto made = std::make_shared<const Characters>(
      *Characters::create({"<unk>", "<|endoftext|>", " ", "a", "b", "c", "d", "e"}));
  return made;
}

NextTokenLogits randomLanguage(std::uint64_t seed) {
  return [=](std::span<const int> tokens) {
    std::uint64_t history = seed;
    for (const int t : tokens) history = mix(history + static_cast<std::uint64_t>(t) + 1);
    Random random(history);
    std::vector<float> logits;
    for (int v = 0; v < letters()->vocabularySize(); ++v)
      logits.push_back(static_cast<float>(2 * random.normal()));
    return logits;
  };
}

ConstraintCheck checked(const Constraint& constraint, std::string_view text = "ab") {
  const auto check = ConstraintCheck::create(constraint, letters(), text);
  REQUIRE(check);
  return *check;
}

constexpr int longest = 12;

std::string writtenBy(const std::vector<int>& tokens) {
  std::string text;
  for (const int token : tokens)
    if (token != letters()->endOfText()) text += letters()->writtenBehind(token);
  return text.starts_with(' ') ? text.substr(1) : text;
}

}  // namespace

TEST_CASE("whatever decodes it, a constrained continuation that ends matches, and bans hold") {
  const std::vector<int> prompt = letters()->encodeIds("ab");
  const int end = letters()->endOfText(), e = letters()->encodeIds("e").front();
  int ended = 0;
  for (const std::string pattern : {"bad|dab|a bad|cab", "(ab|c)*d", "[a-d]{3,5}", "a+(b|ca)b?"})
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      const ConstraintCheck constraint = checked({pattern, "ab", {e}});
      const NextTokenLogits language = randomLanguage(seed % 9);
      std::vector<std::vector<int>> continuations;
      for (const bool greedy : {true, false})
        continuations.push_back(generate(
            language, prompt, longest,
            {.greedy = greedy, .stages = {{"temperature", 1.3f}}, .seed = seed, .constraint = constraint}, 64,
            end));
      const BeamTree tree = beamSearch(
          language, prompt, {.width = 3, .depth = longest, .endOfText = end, .constraint = constraint});
      continuations.push_back(tree.path(tree.best));
      for (const std::vector<int>& tokens : continuations) {
        INFO(pattern << ", " << writtenBy(tokens));
        CHECK(std::ranges::find(tokens, e) == tokens.end());
        const bool isWhole = static_cast<int>(tokens.size()) < longest || tokens.back() == end;
        if (!isWhole) continue;  // given up where it was long enough, not where it was done
        ++ended;
        CHECK(constraint.isWhole(tokens));
        CHECK(std::regex_match(writtenBy(tokens), std::regex(pattern)));
      }
    }
  CHECK(ended > 400);
}

// Of a finite language every sentence is known, and how probable it is.
TEST_CASE("constrained samples come as often as the model's shares among what fits") {
  const std::vector<int> prompt = letters()->encodeIds("ab");
  const ConstraintCheck constraint = checked({"bad|dab|cab|cad", "ab", {letters()->encodeIds(" ").front()}});
  const NextTokenLogits language = randomLanguage(4);
  constexpr int count = 20000;
  ManySamples samples(prompt, {.seed = 3, .constraint = constraint}, count, longest, 64,
                      letters()->endOfText());
  while (!samples.isDone()) samples.advance(language);
  const auto all = samples.continuations();
  CHECK(all.size() == 4);
  double square = 0, probability = 0;
  std::set<std::string> written;
  for (const Continuation& c : all) {
    double p = 1;  // token by token: its share among those that some word goes on with
    std::vector<int> text = prompt;
    for (std::size_t i = 0; i < c.tokens.size(); ++i) {
      const auto logits = language(text);
      double among = 0;
      std::set<int> next;
      const std::string before =
          writtenBy({c.tokens.begin(), c.tokens.begin() + static_cast<std::ptrdiff_t>(i)});
      for (const std::string word : {"bad", "dab", "cab", "cad"})
        if (word.starts_with(before))
          next.insert(word == before ? letters()->endOfText()
                                     : letters()->encodeIds(word.substr(before.size(), 1)).front());
      for (const int token : next) among += std::exp(logits[static_cast<std::size_t>(token)]);
      p *= std::exp(logits[static_cast<std::size_t>(c.tokens[i])]) / among;
      text.push_back(c.tokens[i]);
    }
    CHECK(std::abs(std::log(p) - c.drawn) < 1e-4);
    square += std::pow(c.count - count * p, 2) / (count * p);
    probability += p;
    written.insert(writtenBy(c.tokens));
  }
  CHECK(written == std::set<std::string>{"bad", "cab", "cad", "dab"});
  CHECK(std::abs(probability - 1) < 1e-6);
  CHECK(square < 3 + 4 * std::sqrt(6.0) + 4);  // chi-square of 3 degrees of freedom
}

TEST_CASE("what stands behind the prompt counts as the continuation's beginning") {
  const int b = letters()->encodeIds("b").front(), d = letters()->encodeIds("d").front();
  const auto may = [&](const Constraint& constraint, std::string_view text) {
    return checked(constraint, text).allowed({}, letters()->vocabularySize());
  };
  const Constraint constraint{"bad|cab", "ab", {}};
  CHECK(may(constraint, "ab")[static_cast<std::size_t>(b)]);
  CHECK_FALSE(may(constraint, "ab")[static_cast<std::size_t>(d)]);
  CHECK(may(constraint, "ab ba")[static_cast<std::size_t>(d)]);  // and a space in front does not count
  CHECK_FALSE(may(constraint, "ab ba")[static_cast<std::size_t>(b)]);
  CHECK(may(constraint, "another")[static_cast<std::size_t>(b)]);  // begins anew
  CHECK(may(constraint, "abbad")[static_cast<std::size_t>(letters()->endOfText())]);
  CHECK(std::ranges::count(may(constraint, "abbad"), true) == 1);
  CHECK(std::ranges::count(may(constraint, "abx"), true) == 0);
}

TEST_CASE("a pattern may have the space of its first token, as a ban has it, or leave it out") {
  const int space = letters()->encodeIds(" ").front(), b = letters()->encodeIds("b").front();
  for (const std::string pattern : {"bad", " bad", " ?bad"}) {
    INFO("“" << pattern << "”");
    const ConstraintCheck check = checked({pattern, "ab", {}});
    CHECK(check.allowed({}, letters()->vocabularySize())[static_cast<std::size_t>(space)]);
    CHECK(check.isWhole(letters()->encodeIds(" bad")));
    CHECK(check.isWhole(letters()->encodeIds("bad")) == (pattern != " bad"));
    CHECK(check.allowed({}, letters()->vocabularySize())[static_cast<std::size_t>(b)] == (pattern != " bad"));
  }
}

TEST_CASE("a constraint says what it is held against, and where that stands in the pattern") {
  const auto standing = [](const std::string& text) {
    return *checked({"bad|cab", "ab", {}}, text).standing({});
  };
  CHECK(describe(standing("ab")) == "no token is generated yet, next b or c");
  CHECK(describe(standing("ab ba")) == "“ba” matches so far, next d");
  CHECK(describe(standing("abcab")) == "“cab” is a whole match");
  CHECK(describe(standing("abcc")) == "“cc” does not match");
  CHECK_FALSE(ConstraintCheck().standing({}));
}

TEST_CASE("where a ban leaves no way on, the continuation ends and does not match") {
  const ConstraintCheck constraint = checked({"bed", "ab", {letters()->encodeIds("e").front()}});
  const auto tokens = generate(randomLanguage(1), letters()->encodeIds("ab"), longest,
                               {.greedy = true, .constraint = constraint}, 64);
  CHECK(writtenBy(tokens) == "b");
  CHECK_FALSE(constraint.isWhole(tokens));
  const BeamTree tree =
      beamSearch(randomLanguage(1), letters()->encodeIds("ab"), {.depth = longest, .constraint = constraint});
  CHECK(writtenBy(tree.path(tree.best)) == "b");
}

TEST_CASE("the chain has a row for the constraint, and none where there is none") {
  const std::vector<float> logits = randomLanguage(2)(std::vector{3});
  TensorSet without, with, nothing;
  measureSamplingChain(logits, std::vector{3}, {}, {}, 0.5, without);
  measureSamplingChain(logits, std::vector{3}, {}, {.constraint = checked({"a|b", "ab", {}})}, 0.5, with);
  CHECK(with[chain::stage].extent[0] == without[chain::stage].extent[0] + 1);
  CHECK(chainLink(with[chain::stage], 0).isModel());
  CHECK(chainLink(with[chain::stage], 1).isConstraint);
  CHECK(chainLink(with[chain::stage], 2).stage == &samplingStages().front());
  int left = 0;
  double sum = 0;
  for (int token = 0; token < letters()->vocabularySize(); ++token) {
    left += std::isfinite(with[chain::before](1, token));
    sum += with[chain::probability](1, token);
  }
  CHECK(left == 3);  // a, b, and the space that does not count
  CHECK(std::abs(sum - 1) < 1e-6);
  measureSamplingChain(logits, std::vector{3}, {}, {.constraint = checked({"x", "ab", {2}})}, 0.5, nothing);
  CHECK(nothing[chain::drawn](0) == -1);
}

TEST_CASE("a dead end says at which token it is, what the pattern wants there, and what is banned") {
  const int vocabulary = letters()->vocabularySize();
  const auto tokens = [](const char* text) { return letters()->encodeIds(text); };
  const int e = tokens("e").front();
  // "x" is no letter of the vocabulary: nothing leads on behind "ba".
  const auto missing = checked({"bax|bay", "ab", {}}).deadEnd(tokens("ba"), vocabulary);
  REQUIRE(missing);
  CHECK(*missing == DeadEnd{3, "ba", "x or y", 0});
  CHECK(describe(*missing) == "after “ba” the constraint wants x or y, and no token leads on");
  // What stands behind the prompt already counts as written, but not as a step.
  const auto behind = checked({"bax", "ab", {}}, "ab b").deadEnd(tokens("a"), vocabulary);
  REQUIRE(behind);
  CHECK(*behind == DeadEnd{2, "ba", "x", 0});
  const auto banned = checked({"bed", "ab", {e}}).deadEnd(tokens("b"), vocabulary);
  REQUIRE(banned);
  CHECK(*banned == DeadEnd{2, "b", "e", 1});
  CHECK(describe(*banned) == "after “b” the constraint wants e, and the token that leads on is banned");
  const auto ranges = checked({"a[v-z]|aß", "ab", {}}).deadEnd(tokens("a"), vocabulary);
  REQUIRE(ranges);
  CHECK(ranges->wanted == "v–z or ß");
  // No dead ends: where something fits, where all is written, and without a constraint.
  CHECK_FALSE(checked({"bad", "ab", {}}).deadEnd(tokens("ba"), vocabulary));
  CHECK_FALSE(checked({"bad", "ab", {}}).deadEnd(tokens("bad"), vocabulary));
  CHECK_FALSE(ConstraintCheck().deadEnd({}, vocabulary));
}

// Behind "a" every way is closed, however probable it is there.
TEST_CASE("a beam leaves dead ends, and ends in one only where all of it does") {
  const int a = letters()->encodeIds("a").front(), space = letters()->encodeIds(" ").front(),
            end = letters()->endOfText();
  const NextTokenLogits likesA = [&](std::span<const int> text) {
    std::vector<float> logits = randomLanguage(7)(text);
    logits[static_cast<std::size_t>(a)] = 9;
    return logits;
  };
  const BeamSettings settings{
      .width = 2, .depth = 5, .endOfText = end, .constraint = checked({"axe|bad|cab", "ab", {space}})};
  const std::vector<int> prompt = letters()->encodeIds("ab");
  const BeamTree tree = beamSearch(likesA, prompt, settings);
  CHECK(tree.nodes[1].token == a);
  CHECK(tree.nodes[1].state == BeamState::DeadEnd);
  REQUIRE(tree.deadEnds.size() == 1);
  REQUIRE(tree.deadEndAt(1));
  CHECK(*tree.deadEndAt(1) == DeadEnd{2, "a", "x", 0});
  CHECK(std::ranges::count(tree.hypotheses, 1) == 0);
  CHECK(settings.constraint.isWhole(tree.path(tree.best)));

  BeamSettings closed = settings;
  closed.constraint = checked({"axe|bax", "ab", {space}});
  const BeamTree stuck = beamSearch(likesA, prompt, closed);
  CHECK(stuck.deadEndAt(stuck.best));
  CHECK(std::ranges::all_of(stuck.hypotheses, [&](int n) { return stuck.deadEndAt(n) != nullptr; }));

  closed.constraint = checked({"x", "ab", {space}});
  const BeamTree nowhere = beamSearch(likesA, prompt, closed);
  CHECK(nowhere.best == 0);
  REQUIRE(nowhere.deadEndAt(0));
  CHECK(nowhere.deadEndAt(0)->step == 1);
}

TEST_CASE(
    "what a model asks of its texts holds whatever decodes them: a token never, and the last at the end") {
  const std::vector<int> prompt = letters()->encodeIds("ab");
  const int e = letters()->encodeIds("e").front(), end = letters()->endOfText();
  ModelConfig config;
  config.stack = Stack::EncoderDecoder, config.context = 8, config.vocabulary = letters()->vocabularySize();
  config.bannedToken = e, config.forcedEosToken = end;
  int full = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    INFO(seed);
    ConstraintCheck check = checked({});
    CHECK(check.isOff());
    check.holdTo(config, static_cast<int>(prompt.size()));
    const NextTokenLogits language = randomLanguage(seed);
    const SamplingSettings settings{.seed = seed, .constraint = check};
    const std::vector<int> sampled = generate(language, prompt, 20, settings, config.context, end);
    const BeamTree tree = beamSearch(
        language, prompt, {.depth = 20, .endOfText = end, .context = config.context, .constraint = check});
    for (const std::vector<int>& added : {sampled, tree.path(tree.best)}) {
      full += added.size() == 6;
      CHECK(added.size() <= 6);
      CHECK(added.back() == end);
      CHECK(std::ranges::count(added, e) == 0);
    }
  }
  CHECK(full > 5);
  // A model that reads no source has no such tokens.
  config.stack = Stack::DecoderOnly;
  ConstraintCheck free = checked({});
  free.holdTo(config, 2);
  CHECK(free.isOff());
}
