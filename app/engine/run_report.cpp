#include "app/engine/run_report.h"

#include <algorithm>
#include <limits>

#include "core/model/choices.h"

namespace glassformer {

std::shared_ptr<const Transformer> RunSide::modelAt(int step) const {
  const WeightRing::Weights kept = weights->at(step < 0 ? std::numeric_limits<int>::max() : step);
  Parameters parameters(parameterSpecs(config));
  std::ranges::copy(*kept, parameters.values().begin());
  return std::make_shared<const Transformer>(config, std::move(parameters));
}

namespace {

std::string warmupOf(const Schedule& schedule) {
  return schedule.warmup == 0 ? "no warm-up" : std::to_string(schedule.warmup) + " steps of warm-up";
}

}  // namespace

std::string setApart(const RunSide& side, const RunSide& other) {
  std::string words;
  const auto add = [&](const std::string& difference) { words += (words.empty() ? "" : ", ") + difference; };
  for (const ConfigChoice& choice : configChoices())
    if (const int own = choice.get(side.config); own != choice.get(other.config))
      add(choice.name + ": " + choice.options[static_cast<std::size_t>(own)].name);
  for (const ConfigNumber& number : configNumbers())
    if (number.get(side.config) != number.get(other.config))
      add(number.name + ": " + valueOf(number, side.config));
  if (side.schedule.warmup != other.schedule.warmup) add(warmupOf(side.schedule));
  if (side.schedule.kind != other.schedule.kind) add(nameOf(side.schedule.kind));
  return words.empty() ? "the same once more" : words;
}

}  // namespace glassformer
