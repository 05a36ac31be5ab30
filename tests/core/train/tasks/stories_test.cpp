#include "core/train/tasks/stories.h"

#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <map>
#include <set>
#include <string_view>

#include "core/text/pre_tokenizer.h"
#include "core/train/tasks/story_draft.h"
#include "core/train/tasks/story_grammar.h"
#include "tests/core/train/tasks/every_choice.h"

using namespace glassformer;
using Catch::Approx;

namespace {

const std::string terminator = "<|endoftext|>";

std::vector<Story> stories(std::uint64_t seed, Split split, int count) {
  StoryGenerator generator(seed, split);
  std::vector<Story> result;
  for (int i = 0; i < count; ++i) result.push_back(generator.next());
  return result;
}

std::string lastWord(std::string_view text) { return std::string(text.substr(text.rfind(' ') + 1)); }

// Read off the text, independently of what the generator notes down: "The X didn't ... the Y because it was
// too Z."
std::set<std::string> becauseCombinations(const std::vector<Story>& all) {
  const std::string middle = " because it was too ";
  std::set<std::string> found;
  for (const Story& story : all) {
    const std::size_t because = story.text.find(middle);
    if (because == std::string::npos) continue;
    const std::string before = story.text.substr(0, because),
                      after = story.text.substr(because + middle.size());
    const std::string sentence = before.substr(before.rfind("The ") + 4);
    found.insert("because|" + sentence.substr(0, sentence.find(' ')) + "|" + lastWord(before) + "|" +
                 after.substr(0, after.find('.')));
  }
  return found;
}

std::string at(const Story& story, ByteRange range) {
  return story.text.substr(range.begin, range.end - range.begin);
}

}  // namespace

TEST_CASE("the same seed tells the same stories, another seed others") {
  const auto first = stories(5, Split::Training, 50), again = stories(5, Split::Training, 50);
  const auto other = stories(6, Split::Training, 50);
  for (std::size_t i = 0; i < first.size(); ++i) {
    CHECK(first[i].text == again[i].text);
    CHECK(first[i].logProbability == again[i].logProbability);
  }
  CHECK(first[0].text + first[1].text != other[0].text + other[1].text);
}

TEST_CASE("a generator goes on from its state") {
  StoryGenerator generator(5, Split::Training);
  for (int i = 0; i < 7; ++i) generator.next();
  StoryGenerator resumed(generator.state(), Split::Training);
  for (int i = 0; i < 20; ++i) CHECK(resumed.next().text == generator.next().text);
}

TEST_CASE("training never shows a held-out combination, held-out stories always have one", "[corpus]") {
  const auto training = stories(1, Split::Training, 20000), heldOut = stories(2, Split::HeldOut, 2000);
  const auto shown = becauseCombinations(training), kept = becauseCombinations(heldOut);
  CHECK(shown.size() > 4000);
  for (const std::string& combination : shown) REQUIRE_FALSE(isHeldOut(combination));
  CHECK(std::any_of(kept.begin(), kept.end(), isHeldOut));
  for (const Story& story : training) REQUIRE_FALSE(story.heldOut);
  for (const Story& story : heldOut) REQUIRE(story.heldOut);
}

TEST_CASE("a tenth of the combinations is held out, the lecture's own sentence is not") {
  const Rules& rules = storyRules();
  int heldOut = 0, all = 0;
  for (const std::string& animal : rules.at("animal"))
    for (const std::string& obstacle : rules.at("obstacle"))
      for (const std::string& rule : {std::string("feeling"), "adjective/" + obstacle})
        for (const std::string& adjective : rules.at(rule))
          ++all, heldOut += isHeldOut("because|" + animal + "|" + obstacle + "|" + adjective);
  CHECK(all > 7000);
  const double share = static_cast<double>(heldOut) / all;
  CHECK(share > 0.09);
  CHECK(share < 0.11);
  CHECK_FALSE(isHeldOut("because|animal|street|tired"));
  CHECK_FALSE(isHeldOut("because|animal|street|wide"));
}

TEST_CASE("a story has one derivation, and its log-probability is the one noted") {
  auto some = stories(21, Split::Training, 60);
  for (Story& story : stories(22, Split::HeldOut, 30)) some.push_back(std::move(story));
  for (const Story& story : some) {
    const std::string target = story.text.substr(0, story.text.size() - terminator.size());
    INFO(target);
    int derivations = 0;
    double probability = 0;
    forEveryDerivation(
        [&](Choices& choices, std::string& text) {
          StoryDraft draft(choices);
          try {
            draft.tell();
          } catch (const NoChoiceLeft&) {
            text = draft.text();
            throw;
          }
          if (draft.text() != target) return;
          ++derivations;
          probability += std::exp(choices.logProbability());
        },
        &target);
    CHECK(derivations == 1);
    CHECK(std::log(probability) == Approx(story.logProbability));
  }
}

TEST_CASE("questions point at the words they are about") {
  std::map<QuestionKind, int> kinds;
  auto all = stories(3, Split::Training, 3000);
  for (Story& story : stories(4, Split::HeldOut, 1000)) all.push_back(std::move(story));
  for (const Story& story : all)
    for (const StoryQuestion& question : story.questions) {
      INFO(story.text);
      ++kinds[question.kind];
      REQUIRE(story.text.starts_with(question.prompt + question.answer));
      REQUIRE(question.answer != question.other);
      REQUIRE(" " + at(story, question.right) == question.answer);
      REQUIRE(" " + at(story, question.wrong) == question.other);
      REQUIRE(question.answering.end == question.prompt.size());
      REQUIRE(question.prompt[question.answering.begin - 1] != question.prompt[question.answering.begin]);
      for (const ByteRange& mention : question.rightMentions)
        REQUIRE(" " + at(story, mention) == question.answer);
      for (const ByteRange& mention : question.wrongMentions)
        REQUIRE(" " + at(story, mention) == question.other);
      const auto& mentions = question.rightMentions;
      REQUIRE(std::find(mentions.begin(), mentions.end(), question.right) != mentions.end());
    }
  CHECK(kinds.size() == 8);
  for (const auto& [kind, count] : kinds) CHECK(count > 100);
}

TEST_CASE("what was too tired and what was too wide are asked alike, mostly, and answered by the adjective") {
  int because = 0, asked = 0, animal = 0;
  for (const Story& story : stories(8, Split::Training, 5000)) {
    because += story.text.find(" because it was too ") != std::string::npos;
    for (const StoryQuestion& question : story.questions) {
      if (question.kind != QuestionKind::WhatWasToo) continue;
      ++asked;
      animal += question.right.begin < question.wrong.begin;  // the animal comes first in the sentence
    }
  }
  CHECK(because > 1500);
  CHECK(asked > because / 2);
  CHECK(std::abs(animal - asked / 2) < asked / 10);
}

TEST_CASE("what is said again is said word for word") {
  std::size_t repeats = 0;
  for (const Story& story : stories(9, Split::Training, 2000))
    for (const ByteRange& repeat : story.repeats) {
      ++repeats;
      const std::string words = at(story, repeat);
      REQUIRE(story.text.find(words) < repeat.begin);
      const auto count = splitIntoPieces(words).size();
      REQUIRE(count >= 4);
      REQUIRE(count <= 12);
    }
  CHECK(repeats > 1000);
}

TEST_CASE("stories are short, varied and end where they end", "[corpus]") {
  std::set<std::string> sentences, words;
  for (const Story& story : stories(10, Split::Training, 20000)) {
    REQUIRE(story.text.ends_with(terminator));
    const std::string body = story.text.substr(0, story.text.size() - terminator.size());
    const auto pieces = splitIntoPieces(body);
    REQUIRE(pieces.size() >= 24);
    REQUIRE(pieces.size() <= 116);
    REQUIRE((body.back() == '.' || body.back() == '!'));
    REQUIRE(body.find_first_of("{}$") == std::string::npos);
    REQUIRE(body.find("  ") == std::string::npos);
    for (std::string_view piece : pieces) words.insert(std::string(piece));
    for (std::size_t begin = 0, end; begin < body.size(); begin = end + 1) {
      end = body.find_first_of(".?!", begin);
      const std::string sentence = body.substr(begin, end - begin);
      if (sentence.find(':') == std::string::npos) sentences.insert(sentence);
    }
  }
  CHECK(sentences.size() > 10000);  // songs and secret words not counted
  CHECK(words.size() > 300);
  CHECK(words.size() < 500);
}

TEST_CASE("a stands before consonants and an before vowels") {
  const auto startsWithVowel = [](std::string_view piece) {
    return piece.size() > 1 && std::string_view("aeiou").find(piece[1]) != std::string_view::npos;
  };
  for (const Story& story : stories(12, Split::Training, 3000)) {
    INFO(story.text);
    const auto pieces = splitIntoPieces(story.text);
    for (std::size_t i = 0; i + 1 < pieces.size(); ++i)
      if (pieces[i] == " a" || pieces[i] == " an")
        REQUIRE(startsWithVowel(pieces[i + 1]) == (pieces[i] == " an"));
  }
}
