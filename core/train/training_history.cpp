#include "core/train/training_history.h"

#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/trace/derived.h"

namespace glassformer {
namespace {

constexpr float unknown = std::numeric_limits<float>::quiet_NaN();

template <typename ValueOfStep>
float meanOver(int first, int last, ValueOfStep value) {
  double sum = 0;
  for (int step = first; step <= last; ++step) sum += static_cast<double>(value(step));
  return last < first ? unknown : static_cast<float>(sum / (last - first + 1));
}

// Means over the steps of each column, of row `row` of a table with `rows` numbers per step.
void addMeans(const std::vector<float>& values, int rows, int row, const TrainingAxis& axis, float* means) {
  const int steps = static_cast<int>(values.size()) / std::max(rows, 1);
  for (int column = 0; column < axis.columns; ++column)
    means[column] = meanOver(column * axis.stride + 1, std::min(axis.stepOf(column), steps), [&](int step) {
      return values[static_cast<std::size_t>((step - 1) * rows + row)];
    });
}

Tensor meansOf(const std::vector<float>& values, const TrainingAxis& axis) {
  Tensor means({axis.columns});
  addMeans(values, 1, 0, axis, means.view().data);
  return means;
}

Tensor meansByGroup(const std::vector<float>& values, int groups, const TrainingAxis& axis) {
  Tensor means({groups, axis.columns});
  for (int g = 0; g < groups; ++g) addMeans(values, groups, g, axis, means.view().data + g * axis.columns);
  return means;
}

// Where it was measured; of several measurements in a column the last.
Tensor heldOut(const TrainingHistory& history, const TrainingAxis& axis, double HeldOutReport::*number) {
  Tensor measured({axis.columns});
  for (int i = 0; i < axis.columns; ++i) measured(i) = unknown;
  for (const HeldOutReport& report : history.heldOut)
    if (report.*number >= 0 || number == &HeldOutReport::loss)
      measured(axis.columnOf(report.step)) = static_cast<float>(report.*number);
  return measured;
}

Tensor everywhere(float value, const TrainingAxis& axis) {
  Tensor same({axis.columns});
  for (int i = 0; i < axis.columns; ++i) same(i) = value;
  return same;
}

// Of the steps of each column, those whose gradient was longer.
Tensor clippedShare(const TrainingHistory& history, const TrainingAxis& axis, float longest) {
  std::vector<float> clipped;
  for (const float norm : history.gradientNorm) clipped.push_back(norm > longest ? 1.0f : 0.0f);
  return meansOf(clipped, axis);
}

float rateOf(const TrainingHistory& history, const Schedule& schedule, int step) {
  return step <= history.steps() ? history.learningRate[static_cast<std::size_t>(step - 1)]
                                 : schedule.rate(step);
}

// Falls from 1 to 0 while x goes from 0 to 1.
double halfCosine(double x) { return 0.5 * (1 + std::cos(std::numbers::pi * x)); }
double inverseRoot(double x) { return 1 / std::sqrt(x); }

// step / warm-up, then what the kind of schedule goes on with.
Derivation shapeOf(const Schedule& schedule, int step, Cell bend) {
  const auto number = [](double value) { return Term{.coefficient = static_cast<float>(value)}; };
  const int warmup = std::max(schedule.warmup, 1);
  const bool is2017 = schedule.kind == ScheduleKind::InverseSqrt;
  if (is2017 && step >= warmup)
    return {.form = Form::Function, .terms = {number(step)}, .function = inverseRoot, .functionName = "1/√"};
  if (step < warmup)
    return {.form = Form::Quotient,
            .terms = {number(step), number(is2017 ? std::pow(warmup, 1.5) : static_cast<double>(warmup))}};
  if (schedule.kind == ScheduleKind::Constant) return {.terms = {number(1)}};
  return {.terms = {number(schedule.floor), {bend, nullptr, 1 - schedule.floor}}};
}

// Of a step that went by another schedule, which has been changed since, nothing is said.
void measureRates(const TrainingHistory& history, const TrainingAxis& axis, const Schedule& schedule,
                  TensorSet& set) {
  const auto at = [=](int column) { return schedule.stretchAt(axis.stepOf(column)); };
  addDerived(set, {"training.half_cosine", "I", "factor of the cosine schedule", "½ (1 + cos π x)"},
             {axis.columns}, [=](const auto& column) {
               const auto [stretch, step] = at(column[0]);
               return Derivation{.form = Form::Function,
                                 .terms = {{.coefficient = static_cast<float>(stretch.wayDown(step))}},
                                 .function = halfCosine,
                                 .functionName = "½ + ½ cos π"};
             });
  const TensorView bend = set["training.half_cosine"];
  addDerived(set,
             {"training.schedule", "I", "the learning rate as a share of its peak", "the schedule's shape"},
             {axis.columns}, [=](const auto& column) {
               const auto [stretch, step] = at(column[0]);
               return shapeOf(stretch, step, &bend(column[0]));
             });
  const TensorView shape = set["training.schedule"];
  Tensor rates({axis.columns});
  for (int i = 0; i < axis.columns; ++i) rates(i) = rateOf(history, schedule, axis.stepOf(i));
  const TensorView used = rates.view();
  set.add({"training.learning_rate", "I", "learning rate", "η = peak · schedule"}, std::move(rates),
          [=](const auto& column) -> std::optional<Derivation> {
            const int i = column[0];
            const auto height = static_cast<float>(at(i).first.height());
            const Derivation rate{.terms = {{&shape(i), nullptr, height}}};
            if (std::abs(rate.value() - used(i)) > 1e-3 * std::abs(used(i))) return std::nullopt;
            return rate;
          });
}

// ‖∇loss‖ of a step is the length of its parts' norms; of means over several steps it is not.
void measureGradients(const TrainingHistory& history, const TrainingAxis& axis, TensorSet& set) {
  set.add({"training.gradient_norm_by_group", "GI",
           "norm of the gradient of a part of the model, before clipping", "‖∂loss / ∂w‖"},
          meansByGroup(history.groupGradient, history.groups, axis));
  const TensorView parts = set["training.gradient_norm_by_group"];
  set.add({"training.gradient_norm", "I", "norm of the whole gradient, before clipping", "‖∇loss‖"},
          meansOf(history.gradientNorm, axis),
          [=, stride = axis.stride](const auto& column) -> std::optional<Derivation> {
            const int step = column[0];
            if (stride != 1 || parts.extent[0] == 0 || std::isnan(parts(0, step))) return std::nullopt;
            return derivedLength(TensorView(&parts(0, step), {parts.extent[0]}, {parts.stride[0]}));
          });
}

}  // namespace

void TrainingHistory::add(const StepReport& report) {
  assert(report.step == steps() + 1);
  loss.push_back(static_cast<float>(report.loss));
  gradientNorm.push_back(static_cast<float>(report.gradientNorm));
  learningRate.push_back(report.learningRate);
  headsApart.push_back(static_cast<float>(report.headsApart));
  for (const GroupReport& group : report.groups) {
    groupGradient.push_back(static_cast<float>(group.gradientNorm));
    groupUpdate.push_back(static_cast<float>(group.updateRatio));
  }
}

void TrainingHistory::cutAfter(int step) {
  const auto kept = static_cast<std::size_t>(std::min(step, steps()));
  for (auto* values : {&loss, &gradientNorm, &learningRate, &headsApart}) values->resize(kept);
  for (auto* values : {&groupGradient, &groupUpdate}) values->resize(kept * static_cast<std::size_t>(groups));
  std::erase_if(heldOut, [&](const HeldOutReport& report) { return report.step > step; });
}

TrainingAxis TrainingAxis::of(int steps) {
  TrainingAxis axis;
  axis.steps = std::max(1, steps);
  axis.stride = (axis.steps + mostColumns - 1) / mostColumns;
  axis.columns = (axis.steps + axis.stride - 1) / axis.stride;
  return axis;
}

void measureTraining(const TrainingHistory& history, const TrainingAxis& axis, const TrainingOptions& options,
                     TensorSet& set) {
  set.add({"training.loss", "I", "loss on the training data, mean over the steps of a column, in nats",
           "loss = −mean log p(target)"},
          meansOf(history.loss, axis));
  set.add({"training.held_out_loss", "I", "loss on data that training never shows, in nats",
           "loss = −mean log p(target)"},
          heldOut(history, axis, &HeldOutReport::loss));
  set.add({"training.right_share", "I", "share of held-out questions that are answered exactly right",
           "right / asked"},
          heldOut(history, axis, &HeldOutReport::rightShare));
  measureRates(history, axis, options.schedule, set);
  measureGradients(history, axis, set);
  set.add({"training.heads_apart", "I", "largest difference between a weight of one head and of the first",
           "max |W_h − W_0|"},
          meansOf(history.headsApart, axis));
  if (options.clip > 0) {
    set.add({"training.clipping", "I", "the longest gradient: what is longer is scaled down to it",
             "g ← g · min(1, clip / ‖g‖)"},
            everywhere(options.clip, axis));
    set.add({"training.clipped_share", "I", "share of a column's steps whose gradient was scaled down",
             "clipped / steps"},
            clippedShare(history, axis, options.clip));
  }
  set.add({"training.update_ratio_by_group", "GI", "size of an update relative to the weights, by component",
           "‖Δw‖ / ‖w‖"},
          meansByGroup(history.groupUpdate, history.groups, axis));
}

}  // namespace glassformer
