#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/train/training_task.h"

namespace glassformer {

/// The section of a set-up that a number stands in.
enum class TrainingSection { Run, LearningRate, Optimizer, Model };
/// "Run", "Learning rate" ...
std::string_view nameOf(TrainingSection section);

/// A number that a run can have otherwise than its task's recipe. Set-up, command line, kept runs, cards and
/// help all read it here; what is not asked for is the recipe's.
struct TrainingNumber {
  std::string id;            ///< in plans and kept runs: "weight-decay"
  std::string option = {};   ///< of the command line, where that is not the id: "lr"
  std::string name = {};     ///< on screen
  std::string meaning = {};  ///< what it is, in a few words
  TrainingSection section = TrainingSection::Run;
  float least = 0, most = 1;
  float step = 1;                       ///< by which a field goes up and down
  int decimals = 0;                     ///< of the step; 0: whole numbers alone
  std::vector<float> rungs = {};        ///< through which a field goes instead
  std::string atLeast = {};             ///< what the least is called, where it has a name: "off"
  std::vector<std::string> names = {};  ///< of 0, 1, ..., where all have one: it is a choice among these
  std::string field = {};               ///< of the config, where the number is the model's
  std::function<float(const Recipe&)> get = {};
  /// None where the task itself is made with the number: steps and seed.
  std::function<void(Recipe&, float)> set = {};
  /// Whether it makes a difference, the rest of the recipe being what it is.
  std::function<bool(const Recipe&)> matters = [](const Recipe&) { return true; };
};
/// In the order in which a recipe takes them.
const std::vector<TrainingNumber>& trainingNumbers();
/// Null when there is none of that name.
const TrainingNumber* findTrainingNumber(std::string_view id);

/// "--lr"
std::string optionOf(const TrainingNumber& number);
/// As plans and the command line have it; reads back exactly.
std::string textOf(const TrainingNumber& number, float value);
std::string valueOf(const TrainingNumber& number, const Recipe& recipe);
/// As people read it: "off", "0.999".
std::string valueInWords(const TrainingNumber& number, const Recipe& recipe);
/// Puts a number into a recipe. Refuses what is no number, or outside of its limits, with its name.
Status setNumber(Recipe& recipe, std::string_view id, std::string_view value);
/// What `to` has otherwise than `from`, as a command line has it: "--batch-size 32 --beta2 0.999". Without
/// what is listed apart: the schedule, the model, steps and seed.
std::string changedNumbers(const Recipe& from, const Recipe& to);

}  // namespace glassformer
