#include "core/train/tasks/story_drills.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <set>
#include <sstream>
#include <string>

#include "core/train/tasks/stories_batches.h"
#include "core/train/tasks/stories_task.h"
#include "core/train/tasks/story_grammar.h"

using namespace glassformer;

namespace {

const TrainingTask& stories() {
  static const auto task = storiesTask(1, 0);
  return *task;
}

bool isCounted(int target) { return target != Targets::none; }
auto counted(const Batch& batch) { return std::ranges::count_if(batch.targets, isCounted); }

// What a batch's answers say and what stands before each: every stretch of targets that count.
struct Asked {
  std::string before, answer;
};
std::vector<Asked> askedIn(const Batch& batch, int positions) {
  std::vector<Asked> found;
  for (std::size_t i = 0; i < batch.targets.size(); ++i) {
    if (!isCounted(batch.targets[i]) || (i > 0 && isCounted(batch.targets[i - 1]))) continue;
    const auto begin =
        batch.tokens.begin() + static_cast<std::ptrdiff_t>(i - i % static_cast<std::size_t>(positions));
    Asked asked;
    asked.before = stories().tokenizer().decode(
        std::vector<int>(begin, batch.tokens.begin() + static_cast<std::ptrdiff_t>(i) + 1));
    std::vector<int> answer;
    for (std::size_t k = i; k < batch.targets.size() && isCounted(batch.targets[k]); ++k)
      answer.push_back(batch.targets[k]);
    asked.answer = stories().tokenizer().decode(answer);
    found.push_back(asked);
  }
  return found;
}

// How the last question of a text begins: "What colour".
std::string beginningOfQuestion(const std::string& text) {
  const std::string sentence = text.substr(text.substr(0, text.rfind('?')).find_last_of(".>") + 1);
  std::istringstream words(sentence);
  std::string first, second;
  words >> first >> second;
  return first == "Who" ? first : first + " " + second;
}

bool isOneOf(const std::string& rule, const std::string& word) {
  return std::ranges::find(storyRules().at(rule), word) != storyRules().at(rule).end();
}

}  // namespace

TEST_CASE("drills train answers alone, of the kinds that are asked for") {
  const StoryDrills drills(stories().tokenizer(), 1, 128);
  const Batch colours = drills.batch(3, 16, {QuestionKind::WhatColour}),
              again = drills.batch(3, 16, {QuestionKind::WhatColour});
  CHECK(colours.tokens == again.tokens);
  CHECK(colours.targets == again.targets);
  const auto asked = askedIn(colours, 128);
  CHECK(asked.size() > 16);
  for (const Asked& a : asked) {
    INFO(a.before << "|" << a.answer);
    CHECK(a.before.ends_with("? It was"));
    CHECK(a.before.rfind("What colour was the ") > a.before.rfind("."));
    // The story says so: "... a red kite." (the end of a sequence may cut a word of several tokens)
    CHECK(isOneOf("colour", a.answer.substr(1)));
    const std::size_t thing =
        a.before.rfind("What colour was the ") + std::string("What colour was the ").size();
    CHECK(a.before.find(a.answer + " " + a.before.substr(thing, a.before.rfind("?") - thing) + ".") !=
          std::string::npos);
  }
  for (const Asked& a : askedIn(drills.batch(3, 16, {QuestionKind::WhoHid}), 128))
    CHECK(a.before.ends_with("? It was the"));
}

TEST_CASE(
    "stories is trained on stories, then on one kind of question after the other, then on both by turns") {
  const auto all = [](int step) { return stories().batch(step, 4); };
  CHECK(counted(all(1)) == 4 * 128);
  CHECK(counted(all(6500)) == 4 * 128);
  using Kinds = std::set<std::string>;
  const Kinds everyKind{"What colour", "What did", "What was", "Who"};
  const auto kindsAt = [&](int step) {
    Kinds kinds;
    for (const Asked& a : askedIn(stories().batch(step, 16), 128))
      kinds.insert(beginningOfQuestion(a.before));
    return kinds;
  };
  CHECK(kindsAt(6501) == Kinds{"What did"});
  CHECK(kindsAt(6502) == Kinds{"What colour"});
  CHECK(kindsAt(7750) == Kinds{"What colour"});
  CHECK(kindsAt(7751) == everyKind);
  CHECK(kindsAt(9252) == Kinds{"What did", "What was"});
  CHECK(kindsAt(9255) == everyKind);
  CHECK(kindsAt(10753) == Kinds{"What did"});
  CHECK(kindsAt(10755) == everyKind);
  CHECK(counted(all(12500)) < 4 * 128 / 8);
  CHECK(counted(all(12501)) == 4 * 128);
  CHECK(counted(all(12502)) < 4 * 128 / 8);
  using Peaks = std::vector<Schedule::Peak>;
  CHECK(stories().recipe().options.schedule.later == Peaks{{6500, 1e-3f}, {10750, 1.5e-3f}, {12500, 2e-3f}});
  CHECK(storiesRecipe(1, 6500).options.schedule.later.empty());
}
