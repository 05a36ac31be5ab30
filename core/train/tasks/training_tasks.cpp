#include "core/train/tasks/training_tasks.h"

#include <array>

#include "core/train/tasks/addition_task.h"
#include "core/train/tasks/brackets_task.h"
#include "core/train/tasks/copy_task.h"
#include "core/train/tasks/fill/fill_task.h"
#include "core/train/tasks/induction_task.h"
#include "core/train/tasks/letters_task.h"
#include "core/train/tasks/pictures_task.h"
#include "core/train/tasks/positions_task.h"
#include "core/train/tasks/reverse_task.h"
#include "core/train/tasks/reviews_task.h"
#include "core/train/tasks/sort_task.h"
#include "core/train/tasks/stories_task.h"
#include "core/train/tasks/translation/translation_task.h"

namespace glassformer {

namespace {

template <auto make>
Recipe recipeOfTask(std::uint64_t seed, int steps) {
  return make(seed, steps)->recipe();
}

template <char sign>
std::size_t behindSign(std::string_view text) {
  const std::size_t at = text.find(sign);
  return at == std::string_view::npos ? at : at + 1;
}

// "qmbxzqmbxz": behind the second q, see repeats.h.
std::size_t behindRepeat(std::string_view text) {
  const std::size_t at = text.empty() ? std::string_view::npos : text.find(text.front(), 1);
  return at == std::string_view::npos ? at : at + 1;
}

}  // namespace

std::span<const TrainingTaskEntry> trainingTasks() {
  static constexpr std::array all{
      TrainingTaskEntry{"copy", "Copy", "Repeats a word.", 10, "hello>", "", copyTask, recipeOfTask<copyTask>,
                        1, 2, behindSign<'>'>},
      TrainingTaskEntry{"letters", "Letters", "Reverses four letters, in a model small enough to be read.", 2,
                        "cabd>dba", "", lettersTask, recipeOfTask<lettersTask>, 0, 0, behindSign<'>'>},
      TrainingTaskEntry{"reverse", "Reverse", "Reverses a word.", 10, "hello>", "", reverseTask,
                        recipeOfTask<reverseTask>, 0, 2, behindSign<'>'>},
      TrainingTaskEntry{"sort", "Sort", "Sorts the letters of a word.", 15, "dacb>", "", sortTask,
                        recipeOfTask<sortTask>, 1, 3, behindSign<'>'>},
      TrainingTaskEntry{"induction", "Induction", "Continues letters that it has read before.", 15,
                        "qmbxzfqmb", "", inductionTask, recipeOfTask<inductionTask>, 1, 3, behindRepeat},
      TrainingTaskEntry{"brackets", "Brackets", "Closes open brackets, the innermost first.", 15, "([]{>", "",
                        bracketsTask, recipeOfTask<bracketsTask>, 1, 1, behindSign<'>'>},
      TrainingTaskEntry{"addition", "Addition", "Adds two numbers of up to three digits.", 25, "347+85=", "",
                        additionTask, recipeOfTask<additionTask>, -1, -1, behindSign<'='>},
      TrainingTaskEntry{"positions", "Positions",
                        "Continues letters that it has read before, beyond the length of training.", 10,
                        "qmbxzfqmb", "", positionsTask, recipeOfTask<positionsTask>, 1, 3, behindRepeat},
      TrainingTaskEntry{"pictures", "Pictures",
                        "Says what a tiny picture shows, whose patches are its tokens.", 10,
                        "▗▄▄▖\n▐·▝▌\n▐··▌\n▝▀▀▘\n>", "", picturesTask, recipeOfTask<picturesTask>},
      TrainingTaskEntry{"reviews", "Reviews", "Says whether a review is positive or negative.", 4,
                        "the film was not dull although the end was really bad>", "", reviewsTask,
                        recipeOfTask<reviewsTask>},
      TrainingTaskEntry{
          "stories", "Stories", "Tells short stories and answers questions about them.", 1200,
          "The animal didn't cross the street because it was too tired. What was too tired? The", "",
          storiesTask, storiesRecipe},
      TrainingTaskEntry{"translate", "Translation", "Translates English into German.", 890,
                        "Anna sagt, dass er das Fenster", "Anna says that he opened the window.",
                        translationTask, translationRecipe},
      TrainingTaskEntry{
          "fill", "Masked words", "Predicts masked words of short stories, from both sides.", 980,
          "The dog didn't cross the river because it was too deep. What was too deep? The <|mask|> was too "
          "deep.",
          "", fillTask, fillRecipe},
  };
  return all;
}

const TrainingTaskEntry* findTrainingTask(std::string_view id) {
  for (const TrainingTaskEntry& entry : trainingTasks())
    if (entry.id == id) return &entry;
  return nullptr;
}

std::vector<bool> trainedTokens(std::string_view task, const Tokenizer& tokenizer,
                                const std::vector<int>& tokens) {
  const TrainingTaskEntry* entry = findTrainingTask(task);
  if (!entry || !entry->answerBegin || tokens.size() < 2) return {};
  const std::string text = tokenizer.decode(tokens);
  const std::size_t begin = entry->answerBegin(text);
  if (begin >= text.size()) return {};
  std::vector<bool> trained(tokens.size() - 1);
  std::vector<int> read;
  for (std::size_t t = 0; t + 1 < tokens.size(); ++t) {
    read.push_back(tokens[t]);
    trained[t] = tokenizer.decode(read).size() >= begin;  // where the next token begins
  }
  return trained;
}

}  // namespace glassformer
