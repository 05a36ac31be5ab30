#include "app/cli/train_command.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <string>

#include "app/cli/choices_option.h"
#include "app/cli/percent_lines.h"
#include "app/engine/planned_run.h"
#include "core/io/checkpoint.h"
#include "core/io/file_lock.h"
#include "core/io/files.h"
#include "core/io/model_directory.h"
#include "core/io/text_task_file.h"
#include "core/tensor/kernels.h"
#include "core/train/tasks/training_tasks.h"
#include "core/train/training_numbers.h"

namespace glassformer {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// A line on the terminal about every second: step, loss, learning rate, tokens per second, time left.
class StepLines {
 public:
  StepLines(int firstStep, int steps, int tokensPerStep)
      : first_(firstStep), steps_(steps), tokensPerStep_(tokensPerStep) {}

  void show(const StepReport& report) {
    smoothed_ = smoothed_ == 0 ? report.loss : 0.98 * smoothed_ + 0.02 * report.loss;
    if (secondsSince(last_) < 1 && report.step != steps_) return;
    last_ = Clock::now();
    const double perStep = secondsSince(start_) / (report.step - first_),
                 left = perStep * (steps_ - report.step);
    std::printf("step %d of %d  loss %.4f  gradient %.2f  rate %.5f  %.0f tokens/s  %d:%02d left\n",
                report.step, steps_, smoothed_, report.gradientNorm, static_cast<double>(report.learningRate),
                tokensPerStep_ / perStep, static_cast<int>(left) / 60, static_cast<int>(left) % 60);
    std::fflush(stdout);
  }
  double minutes() const { return secondsSince(start_) / 60; }
  /// Of all threads: what the run costs, however busy the machine was.
  double processorSeconds() const { return static_cast<double>(std::clock() - began_) / CLOCKS_PER_SEC; }

 private:
  int first_, steps_, tokensPerStep_;
  double smoothed_ = 0;
  Clock::time_point start_ = Clock::now(), last_ = start_;
  std::clock_t began_ = std::clock();
};

constexpr std::string_view textTaskId = "text";

Result<std::shared_ptr<const TrainingTask>> makeTask(const TrainCommand& command) {
  if (command.task == textTaskId) {
    if (command.file.empty()) return Error{"the task text learns a text file", "--file", "which one?"};
    const TextTokens tokens = command.tokens == "bpe" ? TextTokens::BytePairs : TextTokens::Character;
    return readTextTask(command.file, tokens, command.seed, command.steps);
  }
  if (!command.file.empty())
    return Error{"only the task text learns from a file", "--file", "train text --file ..."};
  const TrainingTaskEntry* entry = findTrainingTask(command.task);
  if (!entry) return Error{"no such task", command.task, "known tasks: " + trainableTasks()};
  return entry->make(command.seed, command.steps);
}

// The task's recipe with what --set, --schedule and its numbers ask for.
Result<Recipe> chosenRecipe(const TrainingTask& task, const TrainCommand& command) {
  const auto changes = parseChanges(command.choices);
  if (!changes) return changes.error();
  if (weightsOf(*changes) != trainedWeights)
    return Error{"a run begins with random weights as it is", weightsField, "--seed chooses which"};
  for (const ModelChange& change : *changes)
    if (weightAt(change.field))
      return Error{"a run begins with random weights as they are", change.field, "--seed chooses which"};
  const auto schedule = changedSchedule(task.recipe().options.schedule, command.schedule);
  if (!schedule) return Error{schedule.error().what, "--schedule", schedule.error().hint};
  auto recipe = changedRecipe(task.recipe(), {*changes, command.schedule, command.numbers});
  if (!recipe) return recipe;
  recipe->choices = changedFields(task.recipe().config, recipe->config);
  recipe->numbers = changedNumbers(task.recipe(), *recipe);
  if (Status fits = checkRecipe(task, *recipe); !fits) return fits.error();
  return recipe;
}

bool isKnown(const std::string& task) { return task == textTaskId || findTrainingTask(task); }

// Asked before hours of training go by, and before a text is read for its tokens.
Status checkWritable(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return Error{"cannot be made: " + error.message(), folder.string(), "choose another --out"};
  const auto probe = folder / "writable";
  if (std::filesystem::exists(probe, error)) return success();
  Status written = writeFile(probe, "");
  std::filesystem::remove(probe, error);
  return written;
}

}  // namespace

std::string trainableTasks() {
  std::string known;
  for (const TrainingTaskEntry& each : trainingTasks()) known += std::string(each.id) + ", ";
  return known + "or " + std::string(textTaskId) + " (any text file)";
}

Status TrainCommand::run() const {
  if ((!choices.empty() || !schedule.empty() || !numbers.empty() || task == textTaskId) && out.empty())
    return Error{"changes of the recipe need a folder of their own: give --out", "--out",
                 "assets/models/ has those that ship"};
  std::error_code ignored;
  const auto folder =
      out.empty() ? std::filesystem::path("assets/models") / task : std::filesystem::path(out);
  const auto checkpoint = folder / trainingCheckpointFile;
  if (out.empty() && std::filesystem::is_directory(folder, ignored) && !isModelDirectory(folder) &&
      !std::filesystem::exists(checkpoint, ignored))
    return Error{"names several models: give one of them", folder.string(), "--out"};
  if (isKnown(task))
    if (Status writable = checkWritable(folder); !writable) return writable;
  const auto own = FileLock::takeFolder(folder);
  if (!own)
    return Error{"another program trains in this folder", folder.string(),
                 "wait for it, or choose another --out"};
  std::printf("preparing the data\n");
  std::fflush(stdout);
  const auto made = makeTask(*this);
  if (!made) return made.error();
  const auto chosen = chosenRecipe(**made, *this);
  if (!chosen) return chosen.error();
  TrainingRun training(*made, *chosen, threads);
  const Recipe& recipe = training.recipe();
  if (std::filesystem::exists(checkpoint, ignored)) {
    if (Status status = readCheckpoint(checkpoint, training.trainer(), recipe.description()); !status)
      return status;
    std::printf("going on from step %d\n", training.step());
  }
  const int firstStep = training.step();
  StepLines progress(firstStep, recipe.steps,
                     recipe.options.sequences * (recipe.options.positions + recipe.options.sourcePositions));
  while (!training.finished()) {
    const StepReport report = training.advance();
    progress.show(report);
    if (!std::isfinite(report.loss))
      return Error{"the loss is no longer a number at step " + std::to_string(report.step), task,
                   std::filesystem::exists(checkpoint, ignored) ? "the last checkpoint is still good"
                                                                : "the folder has no checkpoint"};
    if (training.step() % 250 == 0)
      if (Status status = writeCheckpoint(checkpoint, training.trainer(), recipe.description()); !status)
        return status;
  }
  const double minutes = progress.minutes(), processor = progress.processorSeconds();
  const std::string machine = std::to_string(threads) + " threads, " + kernels().level + ", " +
                              std::to_string(std::lround(processor)) + " seconds of processor time" +
                              (firstStep > 0 ? " (since step " + std::to_string(firstStep) + ")" : "");
  const std::string card =
      training.card(machine, minutes) +
      training.task().measure(training.model(), threads,
                              percentLines(stdout, "measuring on held-out data", std::chrono::seconds(1)));
  const Transformer& model = training.trainer().model();
  if (Status status =
          writeModelDirectory(folder, model.config(), model.parameters(), training.task().tokenizer(), card);
      !status)
    return status;
  std::filesystem::remove(checkpoint, ignored);
  std::printf("%s\nwritten to %s\n", card.c_str(), folder.c_str());
  return success();
}

}  // namespace glassformer
