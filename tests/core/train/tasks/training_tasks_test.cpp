// What holds for every task of the table.
#include "core/train/tasks/training_tasks.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <set>

#include "core/io/model_directory.h"
#include "core/train/answers.h"
#include "core/train/held_out_texts.h"
#include "core/train/training_numbers.h"

using namespace glassformer;

namespace {

std::string textOf(const TrainingTask& task, const Batch& batch) {
  return task.tokenizer().decode(batch.tokens);
}

bool sameBatch(const Batch& a, const Batch& b) {
  return a.tokens == b.tokens && a.targets == b.targets && a.source == b.source &&
         a.sourceLengths == b.sourceLengths;
}

void checkShape(const TrainingTask& task, const Batch& batch) {
  const TrainingOptions& options = task.recipe().options;
  const auto rows = static_cast<std::size_t>(options.sequences * options.positions);
  REQUIRE(batch.tokens.size() == rows);
  REQUIRE(batch.targets.size() == rows);
  REQUIRE(batch.source.size() == static_cast<std::size_t>(options.sequences * options.sourcePositions));
  const auto known = [&](int token) { return token >= 0 && token < task.tokenizer().vocabularySize(); };
  REQUIRE(std::ranges::all_of(batch.tokens, known));
  REQUIRE(std::ranges::all_of(batch.source, known));
  REQUIRE(std::ranges::all_of(batch.targets, [&](int t) { return t == Targets::none || known(t); }));
  REQUIRE(std::ranges::any_of(batch.targets, known));
}

}  // namespace

TEST_CASE("every task says what a menu needs, under a name of its own") {
  std::set<std::string_view> ids;
  for (const TrainingTaskEntry& entry : trainingTasks()) {
    INFO(entry.id);
    CHECK(ids.insert(entry.id).second);
    CHECK(findTrainingTask(entry.id) == &entry);
    CHECK_FALSE(entry.title.empty());
    CHECK(entry.meaning.ends_with('.'));
    CHECK(entry.seconds > 0);
    CHECK_FALSE(entry.prompt.empty());
  }
  CHECK(findTrainingTask("nothing") == nullptr);
}

TEST_CASE("the tokens that a task trains are found in a typed text, as its batches have them") {
  for (const TrainingTaskEntry& entry : trainingTasks()) {
    if (!entry.answerBegin) continue;
    INFO(entry.id);
    const auto task = entry.make(3, 20);
    for (const TokenText& text : heldOutTexts(*task, 1, 40)) {
      INFO(task->tokenizer().decode(text.tokens));
      REQUIRE_FALSE(text.counted.empty());
      REQUIRE(trainedTokens(entry.id, task->tokenizer(), text.tokens) == text.counted);
    }
    CHECK(trainedTokens(entry.id, task->tokenizer(), {}).empty());
    CHECK(trainedTokens("stories", task->tokenizer(), heldOutTexts(*task, 1, 1)[0].tokens).empty());
  }
  const auto induction = findTrainingTask("induction")->make(3, 20);
  const auto trained = [&](const char* text) {
    return trainedTokens("induction", induction->tokenizer(), induction->tokenizer().encodeIds(text));
  };
  CHECK(trained("abca") == std::vector<bool>());  // nothing is told by the repeat yet
  CHECK(trained("abcab") == std::vector{false, false, false, true});
  CHECK(trained("abcdef").empty());  // no repeat: none of its questions
}

TEST_CASE("every task's data are a function of seed and number, and held-out ones are others") {
  for (const TrainingTaskEntry& entry : trainingTasks()) {
    INFO(entry.id);
    const auto task = entry.make(3, 20);
    CHECK(task->recipe().task == entry.id);
    CHECK(task->recipe().seed == 3);
    CHECK(task->recipe().steps == 20);
    CHECK(task->recipe().config.context >= task->recipe().options.positions);
    CHECK(task->recipe().config.isEncoderDecoder() == !entry.source.empty());
    Recipe alone = entry.recipe(3, 20);
    alone.config.vocabulary = task->recipe().config.vocabulary;  // the tokenizer's
    CHECK(alone.description() == task->recipe().description());
    CHECK(alone.config == task->recipe().config);
    CHECK(alone.options.schedule == task->recipe().options.schedule);
    CHECK(changedNumbers(alone, task->recipe()).empty());
    const Batch few = task->batch(4, 3);
    CHECK(few.tokens.size() == static_cast<std::size_t>(3 * task->recipe().options.positions));
    const Batch batch = task->batch(4), heldOut = task->heldOut(4);
    checkShape(*task, batch);
    checkShape(*task, heldOut);
    CHECK(sameBatch(batch, task->batch(4)));
    CHECK(sameBatch(heldOut, task->heldOut(4)));
    CHECK(textOf(*task, batch) != textOf(*task, task->batch(5)));
    CHECK(textOf(*task, heldOut) != textOf(*task, task->heldOut(5)));
    CHECK(textOf(*task, heldOut) != textOf(*task, batch));
  }
}

TEST_CASE("every task's examples fit its model and are always the same") {
  for (const TrainingTaskEntry& entry : trainingTasks()) {
    INFO(entry.id);
    const auto task = entry.make(3, 20);
    const auto examples = task->examples(6);
    REQUIRE(examples.size() == 6);
    const auto again = task->examples(3);
    for (std::size_t i = 0; i < again.size(); ++i) {
      CHECK(again[i].prompt == examples[i].prompt);
      CHECK(again[i].answer == examples[i].answer);
    }
    // A model that has learned nothing yet answers each, and gets next to none of them right.
    const auto answered = answer(TrainingRun(task, 1).model(), task->tokenizer(), examples);
    REQUIRE(answered.size() == 6);
    CHECK(shareRight(answered) < 0.5);
    for (const Answered& each : answered) CHECK(each.example.source.empty() == entry.source.empty());
  }
}

TEST_CASE("every task's measurement counts its parts, and is dropped once it is stopped") {
  for (const TrainingTaskEntry& entry : trainingTasks()) {
    INFO(entry.id);
    const auto task = entry.make(3, 20);
    int asked = 0;
    const std::string text = task->measure(TrainingRun(task, 1).model(), 1, [&](int done, int total) {
      CHECK(done < total);
      return ++asked < 3;
    });
    CHECK(text.empty());
    CHECK(asked == 3);
  }
}

TEST_CASE("the models that ship answer most of their tasks' examples", "[accuracy]") {
  for (const auto& [name, least] : {std::pair{"stories", 0.5}, {"translate", 0.85}, {"fill", 0.85}}) {
    const auto model = readModelDirectory(std::string(SOURCE_FOLDER) + "/assets/models/" + name);
    REQUIRE(model);
    const auto transformer = std::make_shared<const Transformer>(model->config, model->parameters);
    const auto answered =
        answer(transformer, *model->tokenizer, findTrainingTask(name)->make(7, 20)->examples(60), 2);
    INFO(name << " " << shareRight(answered));
    CHECK(shareRight(answered) >= least);
  }
}
