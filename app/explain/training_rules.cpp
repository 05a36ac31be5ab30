#include <cmath>

#include "app/explain/operands.h"
#include "app/scene/format.h"

namespace glassformer {

namespace {

std::string number(float value) { return formatted(value); }
std::string number(int value) { return std::to_string(value); }

// One line with the schedule's numbers filled in.
std::string equationOf(const Schedule& schedule, int stepOfRun) {
  const auto [s, step] = schedule.stretchAt(stepOfRun);
  if (s.kind == ScheduleKind::Transformer2017)
    return "= " + number(s.peak) + " · " + number(s.width) + "^−½ · min(" + number(step) + "^−½, " +
           number(step) + " · " + number(s.warmup) + "^−1½)";
  if (step < s.warmup) return "= " + number(s.peak) + " · " + number(step) + " / " + number(s.warmup);
  if (s.kind == ScheduleKind::Constant) return "= peak";
  return "= " + number(s.peak) + " · (" + number(s.floor) + " + " + number(1 - s.floor) +
         " · ½ (1 + cos π · " + number(step - s.warmup) + " / " + number(std::max(1, s.steps - s.warmup)) +
         "))";
}

// Steps that went by another schedule, which has been changed since, are not explained by this one.
std::optional<Explanation> learningRate(const Operands& o) {
  if (!o.snapshot.training->run) return std::nullopt;
  const Schedule& schedule = o.snapshot.training->side->schedule;
  const int step = o.snapshot.training->run->axis.stepOf(o.cell.index[0]);
  const float rate = schedule.rate(step), used = o.at(o.cell.tensor, o.cell.index);
  if (std::abs(rate - used) > 1e-3f * rate) return std::nullopt;
  return Explanation{{equationOf(schedule, step)}, rate, false};
}

// The parts of the model together, where a column is one step.
std::optional<Explanation> gradientNorm(const Operands& o) {
  constexpr const char* parts = "training.gradient_norm_by_group";
  if (!o.snapshot.training->run || o.snapshot.training->run->axis.stride != 1) return std::nullopt;
  double square = 0;
  const int groups = o.extent(parts, 0);
  for (int g = 0; g < groups; ++g)
    square += std::pow(static_cast<double>(o.at(parts, {g, o.cell.index[0]})), 2);
  return Explanation{{"= √" + number(static_cast<float>(square)) + ", the squares of its " +
                      std::to_string(groups) + " parts"},
                     static_cast<float>(std::sqrt(square)),
                     false};
}

constexpr ExplanationRule trainingTable[] = {
    {"training.learning_rate", learningRate},
    {"training.gradient_norm", gradientNorm},
};

}  // namespace

std::span<const ExplanationRule> trainingRules() { return trainingTable; }

}  // namespace glassformer
