#include "core/trace/interventions.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace glassformer {
namespace {

// A masked score, -inf, stays masked.
float zero(float cell, float) { return std::isinf(cell) ? cell : 0; }
float scale(float cell, float factor) { return std::isinf(cell) ? cell : cell * factor; }
float add(float cell, float summand) { return cell + summand; }
float replace(float, float value) { return value; }

// As hardArgmax() makes a pattern of scores: of two alike the first; where nothing is allowed, nothing is 1.
void argmax(std::span<float> row) {
  if (std::ranges::all_of(row, [](float cell) { return cell == 0 || std::isinf(cell); })) return;
  const auto largest = std::ranges::max_element(row);
  for (float& cell : row) cell = zero(cell, 0);
  *largest = 1;
}

bool sameNumbers(const std::shared_ptr<const Tensor>& a, const std::shared_ptr<const Tensor>& b) {
  if (a == b || !a || !b) return a == b;
  return a->view().extent == b->view().extent && a->view().rank == b->view().rank &&
         a->values() == b->values();
}

float nothing(float) { return 0; }
float factor(float operand) { return operand; }
float one(float) { return 1; }

}  // namespace

bool Intervention::operator==(const Intervention& other) const {
  return point == other.point && kind == other.kind && index == other.index && value == other.value &&
         sameNumbers(tensor, other.tensor) && origin == other.origin && ruleText == other.ruleText &&
         rule == other.rule && step == other.step;
}

std::span<const InterventionDescription> interventionKinds() {
  static constexpr InterventionDescription kinds[] = {
      {.id = "zero",
       .sign = "off",
       .meaning = "replaces every number by 0",
       .takesNumber = false,
       .apply = zero,
       .slope = nothing},
      {.id = "scale",
       .sign = "×",
       .meaning = "multiplies every number: 1 changes nothing, 0 ablates, −1 negates",
       .number = "gain",
       .least = -10,
       .most = 10,
       .usual = 0.5f,
       .apply = scale,
       .slope = factor},
      {.id = "add",
       .sign = "+",
       .meaning = "is added to every number",
       .number = "summand",
       .least = -1000,
       .most = 1000,
       .usual = 1,
       .apply = add,
       .slope = one},
      {.id = "replace",
       .sign = "=",
       .meaning = "replaces every number",
       .number = "value",
       .least = -1000,
       .most = 1000,
       .apply = replace,
       .slope = nothing},
      {.id = "argmax",
       .sign = "argmax",
       .meaning = "the largest number of each row becomes 1, all others 0",
       .takesNumber = false,
       .applyToRow = argmax,
       .slope = nothing},
  };
  return kinds;
}

Interventions withOneMore(Interventions standing, Intervention added) {
  standing.push_back(std::move(added));
  return standing;
}

Interventions resolved(const Interventions& interventions, std::span<const int> tokens,
                       std::span<const int> source) {
  Interventions all = interventions;
  std::erase_if(all, [](const Intervention& i) { return i.isByRule() && !i.rule; });
  for (Intervention& i : all)
    if (i.rule) i.tensor = std::make_shared<const Tensor>(i.rule->values(tokens, source));
  return all;
}

}  // namespace glassformer
