#include "core/train/training_task.h"

#include <algorithm>
#include <charconv>
#include <sstream>

#include "core/model/choices.h"
#include "core/tensor/available_memory.h"
#include "core/train/training_memory.h"

namespace glassformer {
namespace {

Parameters freshParameters(const Recipe& recipe) {
  Parameters parameters(parameterSpecs(recipe.config));
  initialize(recipe.config, parameters, recipe.scale, recipe.seed);
  return parameters;
}

std::string decimal(double value, int digits = 6) {
  char text[40];
  return {text, std::to_chars(text, text + sizeof text, value, std::chars_format::general, digits).ptr};
}

// "32 x 128", or "32 x (40 source + 36)" where there is a source.
std::string batchShape(const TrainingOptions& options) {
  const std::string text = std::to_string(options.positions);
  const std::string rows = options.sourcePositions > 0
                               ? "(" + std::to_string(options.sourcePositions) + " source + " + text + ")"
                               : text;
  return std::to_string(options.sequences) + " x " + rows;
}

std::string numbersOf(const ModelConfig& config) {
  const bool isUneven = config.encoderBlocks() != config.layers;
  return (isUneven ? std::to_string(config.encoderBlocks()) + " and " : "") + std::to_string(config.layers) +
         " layers, " + (config.hasAttention() ? std::to_string(config.heads) + " heads, " : "") + "width " +
         std::to_string(config.width) + ", feed-forward width " + std::to_string(config.feedForward) +
         ", vocabulary " + std::to_string(config.vocabulary) + ", context " + std::to_string(config.context);
}

std::string choicesOf(const ModelConfig& config) {
  std::string rows = "| choice | |\n|---|---|\n";
  for (const ConfigChoice& choice : configChoices()) {
    if (!choice.matters(config)) continue;
    const ConfigOption& option = choice.options[static_cast<std::size_t>(choice.get(config))];
    rows += "| " + choice.name + " | " + option.name + " |\n";
  }
  return rows;
}

std::string laterWords(const std::vector<Schedule::Peak>& later) {
  std::string words;
  for (const Schedule::Peak& next : later)
    words += (words.empty() ? ", again after step " : ", after step ") + std::to_string(next.behind) +
             " from " + decimal(static_cast<double>(next.peak), 4);
  return words;
}

std::string optimizerWords(const TrainingOptions& options) {
  const auto three = [](float value) { return decimal(static_cast<double>(value), 3); };
  if (options.optimizer == OptimizerKind::Sgd) return "SGD with momentum " + three(options.momentum);
  return "AdamW (" + three(options.beta1) + ", " + three(options.beta2) + ")" +
         (options.beta1FromStep > 0 ? ", without momentum up to step " + std::to_string(options.beta1FromStep)
                                    : "");
}

std::string scheduleWords(const Schedule& schedule) {
  const std::string rise = " after " + std::to_string(schedule.warmup) + " steps of warmup";
  std::string peak = decimal(static_cast<double>(schedule.rate(std::max(1, schedule.warmup))), 3);
  switch (schedule.kind) {
    case ScheduleKind::Constant:
      return peak + rise + ", then constant";
    case ScheduleKind::Cosine:
      return peak + rise + ", then half a cosine" + laterWords(schedule.later);
    case ScheduleKind::InverseSqrt:
      return peak + rise + ", then falling with the root of the step";
  }
  return peak;
}

}  // namespace

std::map<std::string, std::string> Recipe::description() const {
  std::map<std::string, std::string> fields{
      {"task", task},
      {"seed", std::to_string(seed)},
      {"steps", std::to_string(steps)},
      {"vocabulary", std::to_string(config.vocabulary)},
      {"batch", batchShape(options)},
      {"learning_rate", decimal(static_cast<double>(options.schedule.peak))},
      {"warmup", std::to_string(options.schedule.warmup)},
      {"choices", choices},
      {"numbers", numbers}};
  if (!data.empty()) fields["data"] = data;
  return fields;
}

TrainingTask::TrainingTask(Recipe recipe, std::shared_ptr<const Tokenizer> tokenizer)
    : recipe_(std::move(recipe)), tokenizer_(std::move(tokenizer)) {
  recipe_.config.vocabulary = tokenizer_->vocabularySize();
}

std::string TrainingTask::measure(std::shared_ptr<const Transformer> model, int threads,
                                  const ProgressCallback& watch) const {
  bool stopped = false;
  const auto remembering = [&](int done, int total) {
    stopped = stopped || !watch(done, total);
    return !stopped;
  };
  std::string text = measured(std::move(model), threads, remembering);
  return stopped ? "" : text;
}

Status checkRecipe(const TrainingTask& task, const Recipe& recipe) {
  const TrainingOptions& options = recipe.options;
  const ModelConfig& config = recipe.config;
  if (Status valid = validate(config); !valid) return valid.error();
  if (config.stack != task.recipe().config.stack)
    return Error{"the data of " + recipe.task + " are for another stack", "stack", ""};
  if (config.context < std::max(options.positions, options.sourcePositions))
    return Error{
        "is shorter than the sequences of " + recipe.task, "n_positions",
        "they have " + std::to_string(std::max(options.positions, options.sourcePositions)) + " tokens"};
  if (config.vocabulary < task.tokenizer().vocabularySize())
    return Error{"is smaller than the tokenizer's " + std::to_string(task.tokenizer().vocabularySize()),
                 "vocab_size", ""};
  const TrainedBatch batch{options.sequences, options.positions, options.sourcePositions, options.shards};
  if (Status fits = checkTrainingMemory(config, batch, availableMemory()); !fits)
    return Error{fits.error().what, recipe.choices.empty() ? recipe.task : recipe.choices, fits.error().hint};
  return success();
}

Result<Recipe> recipeFor(const TrainingTask& task, const ModelConfig& config) {
  Recipe recipe = task.recipe();
  recipe.choices = changedFields(recipe.config, config);
  recipe.config = config;
  if (Status fits = checkRecipe(task, recipe); !fits) return fits.error();
  return recipe;
}

TrainingRun::TrainingRun(std::shared_ptr<const TrainingTask> task, Recipe recipe, int threads)
    : task_(std::move(task)),
      recipe_(std::move(recipe)),
      trainer_(recipe_.config, freshParameters(recipe_), recipe_.options, threads) {}

std::shared_ptr<const Transformer> TrainingRun::model() const {
  return std::make_shared<const Transformer>(trainer_.model().config(), trainer_.model().parameters());
}

std::string TrainingRun::card(const std::string& machine, double minutes) const {
  const Recipe& recipe = recipe_;
  const TrainingOptions& options = recipe.options;
  std::string settings;
  std::istringstream choices(recipe.choices);
  for (std::string choice; choices >> choice;) settings += " --set " + choice;
  Schedule own = task_->recipe().options.schedule;
  own.steps = options.schedule.steps, own.width = options.schedule.width;  // they follow from the rest
  if (own != options.schedule) settings += " --schedule \"" + options.schedule.description() + "\"";
  if (!recipe.numbers.empty()) settings += " " + recipe.numbers;
  return "# " + recipe.task + "\n\n" + task_->purpose() + "\n## Model\n\n" +
         std::to_string(trainer_.model().parameters().valueCount()) +
         " parameters: " + numbersOf(recipe.config) + ".\n\n" + choicesOf(recipe.config) +
         "\n## Recipe\n\n`glassformer train " + recipe.task +
         (recipe.arguments.empty() ? "" : " " + recipe.arguments) + settings + " --seed " +
         std::to_string(recipe.seed) + " --steps " + std::to_string(recipe.steps) +
         "`: " + optimizerWords(options) + ", weight decay " +
         decimal(static_cast<double>(options.weightDecay), 3) + ", clipping at " +
         decimal(static_cast<double>(options.clip), 3) + ", batches of " + batchShape(options) + " tokens, " +
         (options.growth > 1 ? std::to_string(options.growth) + " times as many after step " +
                                   std::to_string(options.growthStep) + ", "
                             : "") +
         "learning rate " + scheduleWords(trainer_.options().schedule) + "; embeddings start at deviation " +
         decimal(static_cast<double>(recipe.scale.embedding), 3) +
         (recipe.scale.equalHeads > 0
              ? ", heads alike to " + decimal(static_cast<double>(recipe.scale.equalHeads), 4)
              : "") +
         ". " + decimal(minutes, 3) + " minutes on " + machine + ".\n\n";
}

}  // namespace glassformer
