#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace glassformer {

class TrainingTask;

/// Which task a model was trained on, as far as its card says so.
struct TrainingOrigin {
  std::string task;  ///< one of trainingTasks(); empty: nothing is said, or of another task
  std::uint64_t seed = 1;

  bool operator==(const TrainingOrigin&) const = default;
};

/// Reads it from the command in a card's recipe: "`glassformer train stories --seed 1 --steps 6500`".
TrainingOrigin trainingOrigin(std::string_view card);
/// After how many steps the model was written, which that command says too; of text files as well. Nothing:
/// it was not trained by it.
std::optional<int> stepsTrained(std::string_view card);
/// The task's name: what it is itself, where it is at hand, else what the card says; empty: not known.
std::string taskName(const TrainingTask* task, const TrainingOrigin& origin);
/// Makes the task: it learns its tokenizer again, which takes seconds. Null where there is none.
std::shared_ptr<const TrainingTask> makeTask(const TrainingOrigin& origin);

}  // namespace glassformer
