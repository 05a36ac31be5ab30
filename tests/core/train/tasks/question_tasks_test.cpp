// Each task's answers, checked by other means than those that made them.
#include "core/train/tasks/question_task.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <map>
#include <set>

#include "core/train/answers.h"
#include "core/train/tasks/training_tasks.h"

using namespace glassformer;

namespace {

// What stands in a row of a batch: all text, and from where on it counts.
struct Row {
  std::string text;
  std::size_t answerBegin = 0;
  bool ends = false;
};

std::vector<Row> rowsOf(const TrainingTask& task, const Batch& batch) {
  const auto T = static_cast<std::size_t>(task.recipe().options.positions);
  const int end = task.tokenizer().endOfText();
  std::vector<Row> rows;
  for (std::size_t first = 0; first < batch.tokens.size(); first += T) {
    Row row;
    for (std::size_t t = 0; t < T && batch.tokens[first + t] != end; ++t)
      row.text += task.tokenizer().tokenBytes(batch.tokens[first + t]);
    const std::size_t length = row.text.size();
    const auto target = [&](std::size_t t) { return batch.targets[first + t]; };
    std::size_t t = 0;
    while (target(t) == Targets::none) ++t;
    row.answerBegin = t + 1;
    // From there on every target is the token that follows; then nothing counts any more.
    for (; t + 1 < length; ++t) REQUIRE(target(t) == batch.tokens[first + t + 1]);
    row.ends = target(t) == end;
    if (!row.ends) row.text += task.tokenizer().tokenBytes(target(t));
    for (++t; t < T; ++t) REQUIRE(target(t) == Targets::none);
    rows.push_back(row);
  }
  return rows;
}

bool isCopy(const std::string& question, const std::string& answer) { return question == answer + ">"; }

bool isReverse(const std::string& question, const std::string& answer) {
  if (question.size() != answer.size() + 1 || question.back() != '>') return false;
  for (std::size_t i = 0; i < answer.size(); ++i)
    if (answer[i] != question[answer.size() - 1 - i]) return false;
  return true;
}

bool isSorted(const std::string& question, const std::string& answer) {
  std::map<char, int> counts;
  for (const char c : question) ++counts[c];
  if (counts['>']-- != 1) return false;
  for (std::size_t i = 0; i < answer.size(); ++i) {
    if (i > 0 && answer[i] < answer[i - 1]) return false;
    --counts[answer[i]];
  }
  return std::ranges::all_of(counts, [](const auto& each) { return each.second == 0; });
}

// Takes pairs away as long as there are any.
std::string reduced(std::string text) {
  for (std::size_t before = text.size() + 1; text.size() < before;) {
    before = text.size();
    for (const char* pair : {"()", "[]", "{}"})
      if (const std::size_t at = text.find(pair); at != std::string::npos) text.erase(at, 2);
  }
  return text;
}

bool isClosed(const std::string& question, const std::string& answer) {
  const std::string open = question.substr(0, question.size() - 1), left = reduced(open);
  return question.back() == '>' && !answer.empty() && left.find_first_of(")]}") == std::string::npos &&
         left.size() == answer.size() && reduced(open + answer).empty();
}

bool isSum(const std::string& question, const std::string& answer) {
  std::size_t plus = 0, end = 0;
  const int a = std::stoi(question, &plus), b = std::stoi(question.substr(plus + 1), &end);
  return question[plus] == '+' && question.substr(plus + 1 + end) == "=" && std::to_string(a + b) == answer &&
         a < 1000 && b < 1000;
}

bool isRepeat(const std::string& question, const std::string& answer) {
  const std::string period = question.substr(0, question.size() - 1);
  return std::set<char>(period.begin(), period.end()).size() == period.size() &&
         question.substr(period.size()) + answer == period;
}

struct Check {
  const char* task;
  bool (*right)(const std::string&, const std::string&);
  bool ends;
};
constexpr Check checks[] = {{"copy", isCopy, true},         {"reverse", isReverse, true},
                            {"sort", isSorted, true},       {"brackets", isClosed, true},
                            {"addition", isSum, true},      {"induction", isRepeat, false},
                            {"positions", isRepeat, false}, {"letters", isReverse, false}};

}  // namespace

TEST_CASE("what counts in a row is the right answer, and nothing else") {
  for (const Check& check : checks) {
    const auto task = findTrainingTask(check.task)->make(5, 10);
    for (const Batch& batch : {task->batch(1), task->batch(2), task->heldOut(1)})
      for (const Row& row : rowsOf(*task, batch)) {
        const std::string question = row.text.substr(0, row.answerBegin),
                          answer = row.text.substr(row.answerBegin);
        INFO(check.task << " " << row.text);
        REQUIRE(check.right(question, answer));
        REQUIRE_FALSE(check.right(question, answer + answer.back()));
        REQUIRE(row.ends == check.ends);
      }
    for (const Example& example : task->examples(50)) {
      REQUIRE(check.right(example.prompt, example.answer));
      REQUIRE(example.ends == check.ends);
    }
  }
}

TEST_CASE("no question is in training and held out, whatever the seeds") {
  for (const Check& check : checks) {
    INFO(check.task);
    const auto one = findTrainingTask(check.task)->make(1, 10),
               other = findTrainingTask(check.task)->make(2, 10);
    std::set<std::string> training, heldOut;
    for (int number = 1; number <= 6; ++number)
      for (const auto& task : {one, other}) {
        for (const Row& row : rowsOf(*task, task->batch(number))) training.insert(row.text);
        for (const Row& row : rowsOf(*task, task->heldOut(number))) heldOut.insert(row.text);
      }
    for (const Example& example : one->examples(200)) heldOut.insert(example.prompt + example.answer);
    const bool isSmall = std::string(check.task) == "letters";  // 256 words in all
    CHECK(training.size() > 100);
    CHECK(heldOut.size() > (isSmall ? 15 : 100));
    for (const std::string& text : heldOut) REQUIRE_FALSE(training.contains(text));
    // 85+347 does not give 347+85 away.
    if (std::string(check.task) == "addition")
      for (const std::string& text : heldOut) {
        const std::size_t plus = text.find('+'), equals = text.find('=');
        REQUIRE_FALSE(training.contains(text.substr(plus + 1, equals - plus - 1) + "+" +
                                        text.substr(0, plus) + text.substr(equals)));
      }
  }
}

TEST_CASE("questions come in all lengths") {
  const auto lengths = [](const char* name) {
    std::set<std::size_t> found;
    const auto task = findTrainingTask(name)->make(1, 10);
    for (const Row& row : rowsOf(*task, task->batch(1))) found.insert(row.answerBegin);
    return std::pair{*found.begin(), *found.rbegin()};
  };
  CHECK(lengths("sort") == std::pair<std::size_t, std::size_t>{4, 11});
  CHECK(lengths("addition") == std::pair<std::size_t, std::size_t>{4, 8});
  CHECK(lengths("induction").second > 20);
  CHECK(lengths("brackets").second > 12);
}

TEST_CASE("a short training answers questions that nobody guesses", "[accuracy]") {
  const auto task = findTrainingTask("sort")->make(1, 100);
  TrainingRun run(task, 2);
  const auto examples = task->examples(200);
  CHECK(shareRight(answer(run.model(), task->tokenizer(), examples)) == 0);
  const double first = run.advance().loss;
  double last = first;
  while (!run.finished()) last = run.advance().loss;
  CHECK(last < 0.3 * first);
  CHECK(shareRight(answer(run.model(), task->tokenizer(), examples)) > 0.25);
  const std::string card = run.card("a machine", 1) + task->measure(run.model(), 1);
  CHECK(card.find("answered exactly") != std::string::npos);
  CHECK(card.find("## Missed") != std::string::npos);
}
