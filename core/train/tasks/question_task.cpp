#include "core/train/tasks/question_task.h"

#include <algorithm>
#include <cassert>
#include <cstdio>

#include "core/text/byte_pair_training.h"
#include "core/text/utf8.h"
#include "core/train/answers.h"

namespace glassformer {
namespace {

constexpr int measuredQuestions = 2000;

// As code in a table, where a stroke would begin the next column.
std::string tableCell(const std::string& text) {
  std::string cell = "`";
  for (const char c : visibleText(text)) cell += c == '|' ? std::string("\\|") : std::string(1, c);
  return cell + "`";
}

std::string missed(const std::vector<Answered>& answered) {
  std::string rows;
  int left = 8;
  for (const Answered& each : answered)
    if (!each.right && left-- > 0)
      rows += "| " + tableCell(each.example.prompt) + " | " + tableCell(each.example.answer) + " | " +
              tableCell(each.given) + " |\n";
  return rows.empty() ? "" : "\n## Missed\n\n| question | answer | said |\n|---|---|---|\n" + rows;
}

}  // namespace

QuestionTask::QuestionTask(Quiz quiz)
    : TrainingTask(quiz.recipe, quiz.tokenizer
                                    ? quiz.tokenizer
                                    : std::make_shared<const BytePairEncoding>(characterTokenizer())),
      quiz_(std::move(quiz)) {}

Batch QuestionTask::batch(int step, int sequences) const {
  return batchOf(step, sequences, recipe().seed, Split::Training);
}

Batch QuestionTask::heldOut(int number, int sequences) const {
  return batchOf(number, sequences, heldOutSeed(recipe().seed), Split::HeldOut);
}

std::vector<Example> QuestionTask::examples(int count) const {
  return heldOutExamples(heldOutSeed(recipe().seed), count);
}

std::vector<Example> QuestionTask::heldOutExamples(std::uint64_t seed, int count) const {
  Random random(mix(seed));
  std::vector<Example> examples;
  while (static_cast<int>(examples.size()) < count) examples.push_back(draw(random, Split::HeldOut));
  return examples;
}

Example QuestionTask::draw(Random& random, Split split) const {
  for (;;) {
    Example example = quiz_.ask(random);
    if (isHeldOut(quiz_.combination(example)) == (split == Split::HeldOut)) return example;
  }
}

Batch QuestionTask::batchOf(int number, int sequences, std::uint64_t seed, Split split) const {
  Batch batch;
  for (int i = 0; i < sequences; ++i) {
    const auto row = static_cast<std::uint64_t>(number) * static_cast<std::uint64_t>(sequences) +
                     static_cast<std::uint64_t>(i);
    Random random(mix(seed + mix(row)));
    append(draw(random, split), batch);
  }
  return batch;
}

void QuestionTask::append(const Example& example, Batch& batch) const {
  std::vector<int> tokens = tokenizer().encodeIds(example.prompt);
  const std::size_t asked = tokens.size();
  const std::vector<int> answer = tokenizer().encodeIds(example.answer);
  tokens.insert(tokens.end(), answer.begin(), answer.end());
  if (example.ends) tokens.push_back(tokenizer().endOfText());
  const auto positions = static_cast<std::size_t>(recipe().options.positions);
  assert(tokens.size() <= positions + 1 && "a row has room for every question");
  const std::size_t rows = batch.tokens.size() + positions;
  batch.tokens.insert(batch.tokens.end(), tokens.begin(), tokens.end() - 1);
  batch.tokens.resize(rows, tokenizer().endOfText());
  batch.targets.resize(rows - positions + asked - 1, Targets::none);
  batch.targets.insert(batch.targets.end(), tokens.begin() + static_cast<std::ptrdiff_t>(asked),
                       tokens.end());
  batch.targets.resize(rows, Targets::none);
}

std::string QuestionTask::measured(std::shared_ptr<const Transformer> model, int,
                                   const ProgressCallback& watch) const {
  const std::vector<Example> asked = heldOutExamples(recipe().seed + 1000, measuredQuestions);
  const auto answered = answer(model, tokenizer(), asked, 1, watch);
  const auto row = [](const char* what, std::span<const Answered> of) {
    char text[80];
    std::snprintf(text, sizeof text, "| %s | %.2f %% |\n", what, 100 * shareRight(of));
    return std::string(text);
  };
  std::string text = "## Measured on " + std::to_string(measuredQuestions) +
                     " held-out questions\n\n| | |\n|---|---|\n" + row("answered exactly", answered);
  if (model->config().hasClassHead())
    text += row("by the head for classes", classified(std::move(model), tokenizer(), asked, 1, watch));
  return text + missed(answered);
}

BytePairEncoding characterTokenizer() { return trainBytePairEncoding("", 257); }

std::string randomLetters(Random& random, int length, std::string_view alphabet) {
  std::string letters;
  for (int i = 0; i < length; ++i)
    letters += alphabet[static_cast<std::size_t>(random.below(static_cast<int>(alphabet.size())))];
  return letters;
}

Recipe smallRecipe(std::string task, std::uint64_t seed, int steps, int positions) {
  Recipe recipe{.task = std::move(task), .seed = seed, .steps = steps};
  recipe.config.layers = 2, recipe.config.heads = 4, recipe.config.width = 64,
  recipe.config.feedForward = 256;
  recipe.config.context = std::max(32, positions);
  recipe.config.tiedUnembedding = false;  // large embeddings would make the first logits large as well
  recipe.scale = {.embedding = 0.3f, .position = 0.3f, .sinusoidalStart = true};
  recipe.options = {.sequences = 64, .positions = positions, .shards = 2};
  recipe.options.schedule = {ScheduleKind::Cosine, 3e-3f, 100, steps, 0.02f};
  recipe.options.seed = seed;
  return recipe;
}

}  // namespace glassformer
