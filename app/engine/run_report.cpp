#include "app/engine/run_report.h"

#include <algorithm>
#include <limits>

#include "core/model/choices.h"
#include "core/train/training_numbers.h"

namespace glassformer {

std::shared_ptr<const Transformer> RunVariant::modelAt(int step) const {
  const StepRing::Values kept = weights->at(step < 0 ? std::numeric_limits<int>::max() : step);
  Parameters parameters(parameterSpecs(config));
  std::ranges::copy(*kept, parameters.values().begin());
  return std::make_shared<const Transformer>(config, std::move(parameters));
}

std::shared_ptr<const TensorSet> optimizerOf(const Parameters& parameters, const std::string& weight,
                                             const float* values, const float* gradient,
                                             const float* firstMoment, const float* secondMoment,
                                             OptimizerKind kind) {
  const int i = parameters.find(weight);
  if (i < 0) return nullptr;
  auto set = std::make_shared<TensorSet>();
  TensorView view = parameters.view(i);
  const std::string letters = view.rank == 2 ? "io" : "o";
  const auto add = [&](const char* name, const char* meaning, const char* equation, const float* all) {
    const float* first = all + parameters.offset(i);
    auto copy = std::make_shared<AlignedVector>(first, first + view.size());
    view.data = copy->data();
    set->add({name, letters, meaning, equation}, view, std::move(copy));
  };
  add("training.weight", "the weight itself", "w", values);
  if (gradient)
    add("training.gradient", "gradient of the loss of the last batch", "g = ∂loss / ∂w", gradient);
  if (kind == OptimizerKind::Sgd) {
    add("training.first_moment", "running sum of its gradients, decayed by the momentum", "m ← μ m + g",
        firstMoment);
    return set;
  }
  add("training.first_moment", "the running mean of its gradient", "m ← β₁ m + (1 − β₁) g", firstMoment);
  add("training.second_moment", "the running mean of its gradient squared", "v ← β₂ v + (1 − β₂) g²",
      secondMoment);
  return set;
}

std::shared_ptr<const TensorSet> RunVariant::optimizerAt(int step, const std::string& weight) const {
  const StepRing::Values values = weights->at(step), both = moments->at(step);
  if (!values || !both) return nullptr;
  return optimizerOf(Parameters(parameterSpecs(config)), weight, values->data(), nullptr, both->data(),
                     both->data() + values->size(), recipe.options.optimizer);
}

namespace {

std::string warmupOf(const Schedule& schedule) {
  return schedule.warmup == 0 ? "no warm-up" : std::to_string(schedule.warmup) + " steps of warmup";
}

}  // namespace

std::string setApart(const RunVariant& side, const RunVariant& other) {
  std::string words = setApart(side.config, other.config);
  const auto add = [&](const std::string& difference) { words += (words.empty() ? "" : ", ") + difference; };
  if (side.schedule.warmup != other.schedule.warmup) add(warmupOf(side.schedule));
  if (side.schedule.kind != other.schedule.kind) add(nameOf(side.schedule.kind));
  for (const TrainingNumber& number : trainingNumbers()) {
    const bool said = number.id == "warmup" || !number.field.empty() || !number.matters(side.recipe);
    if (!said && valueOf(number, side.recipe) != valueOf(number, other.recipe))
      add(number.name + ": " + valueInWords(number, side.recipe));
  }
  return words.empty() ? "the same settings again" : words;
}

}  // namespace glassformer
