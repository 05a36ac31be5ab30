#include "app/cli/options/checks.h"
#include "app/cli/options/common_options.h"
#include "app/cli/train_command.h"
#include "core/shortest_text.h"
#include "core/train/training_numbers.h"

namespace glassformer {
namespace {

std::string meaningOf(std::string_view number) { return helpWords(findTrainingNumber(number)->meaning); }

// What is the model's is a choice of it, by another name.
void addTrainingNumber(CLI::App& command, const TrainingNumber& number, TrainCommand& train) {
  const auto take = [&train, &number](const std::string& value) {
    if (number.field.empty())
      train.numbers.push_back({number.id, value});
    else
      train.choices.push_back(number.field + "=" + value);
  };
  const auto limit = [](float value) { return std::stod(shortestText(value)); };
  CLI::Option* option = command.add_option_function<std::string>(
      optionOf(number), take, helpWords(number.meaning) + " (default: the task's)");
  if (number.names.empty()) {
    option->check(numberWithin(limit(number.least), limit(number.most)));
    return;
  }
  std::vector<std::string> names;
  for (std::size_t i = 0; i < number.names.size(); ++i)
    names.push_back(textOf(number, static_cast<float>(i)));
  option->check(oneOf(names));
}

}  // namespace

void TrainCommand::addOptions(CLI::App& command) {
  command.add_option("task", task, "task: " + trainableTasks())->required();
  command.add_option("--out", out, "model directory to write (default: assets/models/ and the task's name)");
  command.add_option("--file", file, "training text: for the task text");
  command.add_option("--tokenizer", tokens, "tokens of that text")
      ->capture_default_str()
      ->check(oneOf({"character", "bpe"}));
  command.add_option("--steps", steps, meaningOf("steps") + " (0: the task's)")
      ->capture_default_str()
      ->check(wholeFrom(0));
  addChoices(command, choices);  // first: what is taken later stands behind what it takes
  for (const TrainingNumber& number : trainingNumbers())
    if (number.set) addTrainingNumber(command, number, *this);
  command.add_option("--schedule", schedule,
                     "learning rate schedule: \"no warm-up\", constant, cosine, transformer2017, or one with "
                     "numbers as in model cards");
  addSeed(command, seed, meaningOf("seed"));
  command.add_option("--threads", threads, "number of threads")
      ->capture_default_str()
      ->check(wholeWithin(1, 64));
}

}  // namespace glassformer
