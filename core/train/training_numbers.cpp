#include "core/train/training_numbers.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

#include "core/model/choices.h"
#include "core/model/positional/positional_encoding.h"
#include "core/shortest_text.h"

namespace glassformer {
namespace {

// From 10^first on: 1, 2, 5, 10, ... up to 10^last.
std::vector<float> oneTwoFive(int first, int last) {
  std::vector<float> rungs;
  for (int power = first; power < last; ++power)
    for (const int factor : {1, 2, 5}) rungs.push_back(static_cast<float>(factor * std::pow(10.0, power)));
  rungs.push_back(static_cast<float>(std::pow(10.0, last)));
  return rungs;
}

std::vector<float> doublings(int most) {
  std::vector<float> rungs;
  for (int rung = 1; rung <= most; rung *= 2) rungs.push_back(static_cast<float>(rung));
  return rungs;
}

template <typename Field>
TrainingNumber ofOptions(Field TrainingOptions::*field, TrainingNumber made) {
  made.get = [field](const Recipe& recipe) { return static_cast<float>(recipe.options.*field); };
  made.set = [field](Recipe& recipe, float value) { recipe.options.*field = static_cast<Field>(value); };
  return made;
}

template <typename Field>
TrainingNumber ofSchedule(Field Schedule::*field, TrainingNumber made) {
  made.section = TrainingSection::LearningRate;
  made.get = [field](const Recipe& recipe) { return static_cast<float>(recipe.options.schedule.*field); };
  made.set = [field](Recipe& recipe, float value) {
    recipe.options.schedule.*field = static_cast<Field>(value);
  };
  return made;
}

// "Blocks, one after the other." as a phrase.
std::string asPhrase(std::string sentence) {
  sentence.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(sentence.front())));
  if (sentence.ends_with('.')) sentence.pop_back();
  return sentence;
}

// The name and meaning of a number of the model are the config's.
TrainingNumber ofModel(const char* field, TrainingNumber made) {
  const ConfigNumber& number = *std::ranges::find(configNumbers(), field, &ConfigNumber::id);
  made.section = TrainingSection::Model, made.field = field;
  made.name = number.name, made.meaning = asPhrase(number.meaning);
  made.get = [&number](const Recipe& recipe) { return static_cast<float>(number.get(recipe.config)); };
  made.set = [&number](Recipe& recipe, float value) {
    number.set(recipe.config, static_cast<double>(value));
  };
  made.matters = [&number](const Recipe& recipe) { return number.matters(recipe.config); };
  return made;
}

TrainingNumber steps() {
  TrainingNumber made{.id = "steps", .name = "Training steps", .meaning = "Number of updates"};
  made.least = 1, made.most = 1e7f, made.step = 100;
  made.get = [](const Recipe& recipe) { return static_cast<float>(recipe.steps); };
  return made;
}

TrainingNumber seed() {
  TrainingNumber made{
      .id = "seed", .name = "Seed", .meaning = "Source of all randomness: weights, data, dropout"};
  made.least = 1, made.most = 9999;
  made.get = [](const Recipe& recipe) { return static_cast<float>(recipe.seed); };
  return made;
}

// Of 1 and 0.
TrainingNumber sinusoidalStart() {
  TrainingNumber made{.id = "sinusoidal-start",
                      .option = "sinusoidal-init",
                      .name = "Sinusoidal init",
                      .meaning = "1: learned positions start as sinusoids; off: as noise",
                      .atLeast = "off"};
  made.get = [](const Recipe& recipe) { return recipe.scale.sinusoidalStart ? 1.0f : 0.0f; };
  made.set = [](Recipe& recipe, float value) { recipe.scale.sinusoidalStart = value != 0; };
  made.matters = [](const Recipe& recipe) { return recipe.config.positions->learnsTable(); };
  return made;
}

TrainingNumber equalHeads() {
  TrainingNumber made{.id = "equal-heads",
                      .option = "identical-heads",
                      .name = "Identical heads",
                      .meaning =
                          "1: all heads start with the same weights and stay equal; just below 1: with "
                          "little noise; off: independent",
                      .step = 0.01f,
                      .decimals = 3,
                      .atLeast = "off"};
  made.get = [](const Recipe& recipe) { return recipe.scale.equalHeads; };
  made.set = [](Recipe& recipe, float value) { recipe.scale.equalHeads = value; };
  made.matters = [](const Recipe& recipe) { return recipe.config.hasAttention() && recipe.config.heads > 1; };
  return made;
}

TrainingNumber growth() {
  return ofOptions(&TrainingOptions::growth, {.id = "batch-growth",
                                              .name = "Batch growth",
                                              .meaning = "Batch size times this from the growth step on",
                                              .least = 1,
                                              .most = 64,
                                              .rungs = doublings(64),
                                              .atLeast = "not"});
}

TrainingNumber growthStep() {
  TrainingNumber made =
      ofOptions(&TrainingOptions::growthStep, {.id = "growth-behind",
                                               .option = "growth-step",
                                               .name = "Growth step",
                                               .meaning = "Step from which batches are larger",
                                               .most = 1e6f,
                                               .step = 100});
  made.matters = [](const Recipe& recipe) { return recipe.options.growth > 1; };
  return made;
}

// Its parts with gradients of their own have to divide it.
TrainingNumber batch() {
  TrainingNumber made{.id = "batch",
                      .option = "batch-size",
                      .name = "Batch size",
                      .meaning = "Sequences per step",
                      .least = 1,
                      .most = 1024,
                      .rungs = doublings(1024)};
  made.get = [](const Recipe& recipe) { return static_cast<float>(recipe.options.sequences); };
  made.set = [](Recipe& recipe, float value) {
    recipe.options.sequences = static_cast<int>(value);
    while (recipe.options.sequences % recipe.options.shards != 0) --recipe.options.shards;
  };
  return made;
}

// That of 2017 has no peak of its own: it is where warm-up ends.
TrainingNumber peakRate() {
  TrainingNumber made{.id = "rate",
                      .option = "lr",
                      .name = "Peak LR",
                      .meaning = "Largest learning rate, at the end of the warmup",
                      .section = TrainingSection::LearningRate,
                      .least = 1e-6f,
                      .most = 1,
                      .decimals = 6,
                      .rungs = oneTwoFive(-6, 0)};
  made.get = [](const Recipe& recipe) {
    const Schedule& schedule = recipe.options.schedule;
    const bool formula = schedule.kind == ScheduleKind::InverseSqrt;
    return formula ? schedule.rate(std::max(1, schedule.warmup)) : schedule.peak;
  };
  made.set = [get = made.get](Recipe& recipe, float value) {
    Schedule& schedule = recipe.options.schedule;
    const bool formula = schedule.kind == ScheduleKind::InverseSqrt;
    schedule.peak = formula ? schedule.peak * value / get(recipe) : value;
  };
  return made;
}

TrainingNumber floorOfRate() {
  TrainingNumber made = ofSchedule(&Schedule::floor, {.id = "floor",
                                                      .option = "final-lr-ratio",
                                                      .name = "Final LR ratio",
                                                      .meaning = "Last learning rate as a share of the peak",
                                                      .step = 0.05f,
                                                      .decimals = 2});
  made.matters = [](const Recipe& recipe) { return recipe.options.schedule.kind == ScheduleKind::Cosine; };
  return made;
}

template <typename Field>
TrainingNumber optimizer(Field TrainingOptions::*field, TrainingNumber made) {
  made.section = TrainingSection::Optimizer;
  return ofOptions(field, std::move(made));
}
bool isAdamW(const Recipe& recipe) { return recipe.options.optimizer == OptimizerKind::AdamW; }
template <typename Field>
TrainingNumber ofAdamW(Field TrainingOptions::*field, TrainingNumber made) {
  made.matters = isAdamW;
  return optimizer(field, std::move(made));
}

TrainingNumber optimizerChoice() {
  return optimizer(&TrainingOptions::optimizer, {.id = "optimizer",
                                                 .name = "Optimizer",
                                                 .meaning = "AdamW, or SGD with momentum",
                                                 .names = {"AdamW", "SGD"}});
}

TrainingNumber momentum() {
  TrainingNumber made =
      optimizer(&TrainingOptions::momentum, {.id = "momentum",
                                             .name = "Momentum",
                                             .meaning = "Decay of the running update, m ← μ m + g",
                                             .most = 0.9999f,
                                             .step = 0.01f,
                                             .decimals = 3,
                                             .atLeast = "none"});
  made.matters = [](const Recipe& recipe) { return !isAdamW(recipe); };
  return made;
}

std::string inSmallLetters(std::string name) {
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name;
}

// Among names.
Result<float> choiceIn(const TrainingNumber& number, std::string_view value) {
  std::string all;
  for (std::size_t i = 0; i < number.names.size(); ++i) {
    const std::string name = inSmallLetters(number.names[i]);
    if (name == value) return static_cast<float>(i);
    all += (all.empty() ? "" : ", ") + name;
  }
  return Error{"there is no \"" + std::string(value) + "\"", number.id, "it can be " + all};
}

Result<float> numberIn(const TrainingNumber& number, std::string_view value) {
  if (!number.names.empty()) return choiceIn(number, value);
  float parsed = 0;
  const auto [end, failure] = std::from_chars(value.data(), value.data() + value.size(), parsed);
  const bool whole = number.decimals == 0;
  if (failure != std::errc{} || end != value.data() + value.size() || (whole && parsed != std::floor(parsed)))
    return Error{"\"" + std::string(value) + "\" is not a " + (whole ? "whole number" : "number"), number.id,
                 ""};
  if (!(parsed >= number.least && parsed <= number.most))
    return Error{std::string(value) + " is out of range", number.id,
                 "it can be " + shortestText(number.least) + " to " + shortestText(number.most)};
  return parsed;
}

}  // namespace

std::string_view nameOf(TrainingSection section) {
  static constexpr std::array<std::string_view, 4> names{"Run", "Learning rate", "Optimizer", "Model"};
  return names[static_cast<std::size_t>(section)];
}

const std::vector<TrainingNumber>& trainingNumbers() {
  static const std::vector<TrainingNumber> all{
      steps(),
      batch(),
      growth(),
      growthStep(),
      seed(),
      sinusoidalStart(),
      equalHeads(),
      ofSchedule(&Schedule::warmup, {.id = "warmup",
                                     .name = "Warmup steps",
                                     .meaning = "Steps of linear rise from 0",
                                     .most = 1e6f,
                                     .step = 50,
                                     .atLeast = "none"}),
      peakRate(),
      floorOfRate(),
      optimizerChoice(),
      momentum(),
      ofAdamW(&TrainingOptions::beta1, {.id = "beta1",
                                        .name = "β₁",
                                        .meaning = "Decay of the running mean of the gradient",
                                        .most = 0.9999f,
                                        .step = 0.01f,
                                        .decimals = 3}),
      ofAdamW(&TrainingOptions::beta1FromStep,
              {.id = "momentum-from",
               .option = "beta1-from-step",
               .name = "β₁ from step",
               .meaning = "First step with momentum β₁; earlier steps use the plain gradient",
               .most = 1000000,
               .step = 100,
               .atLeast = "from the start"}),
      ofAdamW(&TrainingOptions::beta2, {.id = "beta2",
                                        .name = "β₂",
                                        .meaning = "Decay of the running mean of the squared gradient",
                                        .most = 0.9999f,
                                        .step = 0.001f,
                                        .decimals = 3}),
      ofAdamW(&TrainingOptions::epsilon, {.id = "epsilon",
                                          .name = "ε",
                                          .meaning = "Added to the root of that mean, to avoid division by 0",
                                          .least = 1e-12f,
                                          .most = 0.1f,
                                          .decimals = 12,
                                          .rungs = oneTwoFive(-12, -1)}),
      optimizer(&TrainingOptions::weightDecay,
                {.id = "weight-decay",
                 .name = "Weight decay",
                 .meaning = "Share that decay removes from every matrix per step at learning rate 1",
                 .step = 0.01f,
                 .decimals = 2,
                 .atLeast = "off"}),
      optimizer(&TrainingOptions::clip, {.id = "clip",
                                         .option = "grad-clip",
                                         .name = "Gradient clipping",
                                         .meaning = "Largest gradient norm; longer gradients are scaled down",
                                         .most = 100,
                                         .step = 0.1f,
                                         .decimals = 2,
                                         .atLeast = "off"}),
      ofModel("n_layer", {.id = "layers", .least = 1, .most = 64}),
      ofModel("n_head", {.id = "heads", .least = 1, .most = 64}),
      ofModel("n_embd", {.id = "width", .option = "dim", .least = 1, .most = 4096, .step = 16}),
      ofModel("n_inner", {.id = "mlp-width", .option = "mlp-dim", .least = 1, .most = 16384, .step = 32}),
      ofModel("kernel_width", {.id = "taps", .option = "kernel-size", .least = 1, .most = 64}),
      ofModel("resid_pdrop", {.id = "dropout", .most = 0.9f, .step = 0.05f, .decimals = 2, .atLeast = "off"}),
  };
  return all;
}

const TrainingNumber* findTrainingNumber(std::string_view id) {
  const auto found = std::ranges::find(trainingNumbers(), id, &TrainingNumber::id);
  return found == trainingNumbers().end() ? nullptr : &*found;
}

std::string optionOf(const TrainingNumber& number) {
  return "--" + (number.option.empty() ? number.id : number.option);
}

std::string textOf(const TrainingNumber& number, float value) {
  if (!number.names.empty()) return inSmallLetters(number.names[static_cast<std::size_t>(value)]);
  return number.decimals == 0 ? std::to_string(static_cast<std::int64_t>(value)) : shortestText(value);
}

std::string valueOf(const TrainingNumber& number, const Recipe& recipe) {
  return textOf(number, number.get(recipe));
}

std::string valueInWords(const TrainingNumber& number, const Recipe& recipe) {
  if (!number.names.empty()) return number.names[static_cast<std::size_t>(number.get(recipe))];
  const bool named = !number.atLeast.empty() && number.get(recipe) <= number.least;
  return named ? number.atLeast : valueOf(number, recipe);
}

Status setNumber(Recipe& recipe, std::string_view id, std::string_view value) {
  const TrainingNumber* number = findTrainingNumber(id);
  if (!number || !number->set) return Error{"no such number", std::string(id), ""};
  const Result<float> parsed = numberIn(*number, value);
  if (!parsed) return parsed.error();
  number->set(recipe, *parsed);
  return success();
}

std::string changedNumbers(const Recipe& from, const Recipe& to) {
  std::string numbers;
  for (const TrainingNumber& number : trainingNumbers()) {
    const bool elsewhere = number.section == TrainingSection::LearningRate ||
                           number.section == TrainingSection::Model || !number.set;
    if (elsewhere || valueOf(number, from) == valueOf(number, to)) continue;
    numbers += (numbers.empty() ? "" : " ") + optionOf(number) + " " + valueOf(number, to);
  }
  return numbers;
}

}  // namespace glassformer
