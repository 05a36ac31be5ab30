#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "app/document/model_changes.h"
#include "core/result.h"

namespace CLI {
class App;
}

namespace glassformer {

/// `glassformer train TASK`: trains, evaluates and writes a model directory, with progress on the terminal.
/// Stopped and started again it goes on from its checkpoint.
struct TrainCommand {
  static constexpr const char *name = "train", *about = "train a model and write its directory";

  std::string task = "stories";
  std::string out;   ///< empty: assets/models/ and the task's name; must be given with choices and a file
  std::string file;  ///< the text to learn, of the task "text"
  std::string tokens = "character";  ///< of that text: "character" or "bpe"
  std::vector<std::string> choices;  ///< of the model, otherwise than the task has them: "mixing=recurrence"
  std::string schedule;              ///< see changedSchedule(); empty: the recipe's own
  ModelChanges numbers;              ///< see trainingNumbers(), but for steps, seed and those of the model
  int steps = 0;                     ///< 0: the recipe's own
  std::uint64_t seed = 1;
  int threads = 2;

  void addOptions(CLI::App& command);
  Status run() const;
};

/// "copy, reverse, ... or text", for help and errors.
std::string trainableTasks();

}  // namespace glassformer
