// Tasks whose answer is one class, read off the last token.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "core/train/answers.h"
#include "core/train/tasks/bitmap.h"
#include "core/train/tasks/training_tasks.h"

using namespace glassformer;

namespace {

constexpr const char* classifiers[] = {"pictures", "reviews"};

// Of the words of one clause: whether it praises.
bool praises(const std::string& clause) {
  static const std::set<std::string> praise{"good", "great", "fine", "lovely", "clever", "funny"},
      blame{"bad", "awful", "dull", "ugly", "silly", "boring"};
  std::istringstream words(clause);
  bool isPraise = false, isNegated = false;
  int adjectives = 0;
  for (std::string word; words >> word;) {
    isNegated = isNegated || word == "not" || word == "never";
    isPraise = isPraise || praise.contains(word);
    adjectives += praise.contains(word) || blame.contains(word);
  }
  REQUIRE(adjectives == 1);
  return isPraise != isNegated;
}

std::string verdictOf(const std::string& review) {
  std::string counts = review;
  if (const std::size_t at = review.find(" but "); at != std::string::npos) counts = review.substr(at + 5);
  if (const std::size_t at = review.find(" although "); at != std::string::npos)
    counts = review.substr(0, at);
  return praises(counts) ? "positive" : "negative";
}

// The share of held-out questions that a model answers after `steps`.
double learned(const char* name, int steps) {
  const auto task = findTrainingTask(name)->make(1, steps);
  TrainingRun run(task, 2);
  while (!run.finished()) run.advance();
  return shareRight(answer(run.model(), task->tokenizer(), task->examples(200)));
}

}  // namespace

TEST_CASE("a review's verdict follows from its adjective and negation and conjunction") {
  std::map<std::string, int> verdicts;
  std::set<std::string> words;
  for (const Example& example : findTrainingTask("reviews")->make(3, 10)->examples(400)) {
    INFO(example.prompt);
    REQUIRE(example.prompt.ends_with(">"));
    const std::string review = example.prompt.substr(0, example.prompt.size() - 1);
    REQUIRE(example.answer == verdictOf(review));
    ++verdicts[example.answer];
    std::istringstream in(review);
    for (std::string word; in >> word;) words.insert(word);
  }
  CHECK(verdicts["positive"] > 150);
  CHECK(verdicts["negative"] > 150);
  for (const char* word : {"not", "never", "but", "although", "very", "film", "end"})
    CHECK(words.contains(word));
}

TEST_CASE("a picture is 16 patches in 4 rows and each shape is asked for") {
  std::map<std::string, int> classes;
  const auto task = findTrainingTask("pictures")->make(3, 10);
  for (const Example& example : task->examples(200)) {
    ++classes[example.answer];
    REQUIRE(task->tokenizer().encode(example.prompt).size() == 21);
    REQUIRE(example.prompt.ends_with("\n>"));
    REQUIRE(std::ranges::count(example.prompt, '\n') == 4);
  }
  REQUIRE(classes.size() == bitmapShapes().size());
  for (const auto& [name, count] : classes) CHECK(count > 20);
}

TEST_CASE("a classifier's only target is the class behind the last token of the question") {
  for (const char* name : classifiers) {
    INFO(name);
    const auto task = findTrainingTask(name)->make(2, 10);
    const Tokenizer& tokenizer = task->tokenizer();
    const Batch batch = task->batch(1);
    const auto T = static_cast<std::size_t>(task->recipe().options.positions);
    for (std::size_t first = 0; first < batch.tokens.size(); first += T) {
      int targets = 0;
      for (std::size_t t = 0; t < T; ++t) {
        if (batch.targets[first + t] == Targets::none) continue;
        ++targets;
        REQUIRE(tokenizer.tokenBytes(batch.tokens[first + t]) == ">");
        // Without a mask, what fills up a row would be seen.
        if (!task->recipe().config.causal()) REQUIRE(t + 1 == T);
      }
      REQUIRE(targets == 1);
    }
    REQUIRE(batch.tokens.size() / T == static_cast<std::size_t>(task->recipe().options.sequences));
    for (const int token : batch.tokens) REQUIRE(token != tokenizer.unknown());
  }
}

TEST_CASE("no picture or review is in training and held out") {
  for (const char* name : classifiers) {
    INFO(name);
    const auto task = findTrainingTask(name)->make(2, 10);
    const auto T = static_cast<std::size_t>(task->recipe().options.positions);
    const auto rows = [&](const Batch& batch) {
      std::set<std::vector<int>> all;
      for (auto at = batch.tokens.begin(); at != batch.tokens.end(); at += static_cast<std::ptrdiff_t>(T))
        all.insert(std::vector<int>(at, at + static_cast<std::ptrdiff_t>(T)));
      return all;
    };
    std::set<std::vector<int>> training;
    for (int number = 1; number <= 20; ++number) training.merge(rows(task->batch(number)));
    CHECK(training.size() > 300);
    for (int number = 1; number <= 5; ++number)
      for (const auto& row : rows(task->heldOut(number))) REQUIRE_FALSE(training.contains(row));
  }
}

TEST_CASE("pictures and reviews are told apart after a short training") {
  CHECK(learned("pictures", 60) > 0.5);
  CHECK(learned("reviews", 60) > 0.5);
}
