#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "core/train/training_task.h"

namespace glassformer {

/// A task that can be trained, by name, and what a menu says of it.
struct TrainingTaskEntry {
  std::string_view id;       ///< on the command line and in files
  std::string_view title;    ///< on screen
  std::string_view meaning;  ///< one sentence
  int seconds = 0;           ///< that its recipe takes on 2 cores, about
  std::string_view prompt;   ///< what a window shows while this task's model is trained, as it would be typed
  std::string_view source;   ///< and what an encoder-decoder reads beside it
  std::shared_ptr<const TrainingTask> (*make)(std::uint64_t seed, int steps);
  /// How it is trained, in no time: of data that take long to prepare, none are.
  Recipe (*recipe)(std::uint64_t seed, int steps);
  /// A head that shows what the model of this recipe has learned; negative: none stands out.
  int layer = -1, head = -1;
  /// Where the answer begins in a text of this task; past its end: it is no such text. Null: all of a text is
  /// trained.
  std::size_t (*answerBegin)(std::string_view text) = nullptr;
};
/// Every task, in the order in which menus show them.
std::span<const TrainingTaskEntry> trainingTasks();
/// Null when there is none of that name.
const TrainingTaskEntry* findTrainingTask(std::string_view id);

/// The tokens that the loss of that task is taken over, in a text that anybody may have typed: its answer.
/// [T − 1] of those behind the first, see CountedTokens; empty where the task trains all, or the text is none
/// of its questions.
std::vector<bool> trainedTokens(std::string_view task, const Tokenizer& tokenizer,
                                const std::vector<int>& tokens);

}  // namespace glassformer
