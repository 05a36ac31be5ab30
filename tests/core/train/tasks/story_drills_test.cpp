#include "core/train/tasks/story_drills.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
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
  const auto kindsAt = [&](int step) {
    std::set<std::string> kinds;
    for (const Asked& a : askedIn(stories().batch(step, 16), 128))
      kinds.insert(a.before.rfind("What colour") + 80 > a.before.size() ? "colour"
                   : a.before.rfind("What did") + 80 > a.before.size()  ? "gift"
                                                                        : "other");
    return kinds;
  };
  CHECK(kindsAt(6501) == std::set<std::string>{"colour"});
  CHECK(kindsAt(7750) == std::set<std::string>{"colour"});
  CHECK(kindsAt(7751).size() == 3);
  CHECK(kindsAt(9251) == std::set<std::string>{"other"});
  CHECK(kindsAt(10753) == std::set<std::string>{"gift"});
  CHECK(kindsAt(10755).size() == 3);
  CHECK(counted(all(12250)) < 4 * 128 / 8);
  CHECK(counted(all(12252)) == 4 * 128);
  CHECK(counted(all(12253)) < 4 * 128 / 8);
  CHECK(stories().recipe().options.schedule.restart == 6500);
  CHECK(storiesRecipe(1, 500).options.schedule.restart == 0);
}
