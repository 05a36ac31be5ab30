#include "core/model/pass.h"

#include <algorithm>
#include <cassert>

#include "core/model/intervention_step.h"
#include "core/tensor/operations/derivative.h"

namespace glassformer {
namespace {

Interventions at(const std::string& point, const Interventions& interventions) {
  Interventions own;
  for (const Intervention& intervention : interventions)
    if (intervention.point == point) own.push_back(intervention);
  return own;
}

}  // namespace

Weight Pass::weight(const std::string& name) const {
  const int i = parameters_.find(name);
  assert(i >= 0);
  const TensorView view = parameters_.view(i);
  return {view.data, training_.gradients ? training_.gradients + parameters_.offset(i) : nullptr,
          view.rank == 2 ? view.extent[0] : 1, view.extent[view.rank - 1]};
}

Weight Pass::bias(const std::string& name) const {
  return parameters_.find(name) < 0 ? Weight{} : weight(name);
}

void Pass::watch(std::string_view name, const Value& value, int heads) {
  points_.push_back({prefix_ + std::string(name), value, heads});
}

Value Pass::point(std::string_view name, const Value& value, int heads) {
  watch(name, value, heads);
  if (purpose_ == Purpose::Look) makeChangeable(points_.back());
  if (purpose_ == Purpose::Differentiate) points_.back().value = differentiable(points_.back());
  return points_.back().value;
}

void Pass::makeChangeable(const NamedValue& point) {
  auto step = std::make_unique<InterventionStep>(tape_, point.value, point.value, point.heads);
  changeable_.push_back({point.name, step.get(), tape_.firstMakerOf(point.value),
                         static_cast<std::size_t>(tape_.operationCount())});
  tape_.add(std::move(step));
}

// What is neither changed nor asked about costs nothing.
Value Pass::differentiable(const NamedValue& point) {
  Value y = point.value;
  if (Interventions own = at(point.name, differentiation_.interventions); !own.empty()) {
    y = y.square ? tape_.squares(y.width, 0, y.triangular, y.stream, y.keys) : tape_.rows(y.width, y.stream);
    y.recurrent = point.value.recurrent;
    auto step = std::make_unique<InterventionStep>(tape_, point.value, y, point.heads);
    step->active = std::move(own);
    tape_.add(std::move(step));
  }
  const auto asked = differentiation_.byPoint.find(point.name);
  return asked == differentiation_.byPoint.end() ? y : keepGradient(tape_, y, *asked->second);
}

Value Pass::way(std::string_view name, const Value& value) {
  if (purpose_ != Purpose::Differentiate) return value;
  const auto asked = differentiation_.byPoint.find(prefix_ + std::string(name));
  return asked == differentiation_.byPoint.end() ? value : keepGradient(tape_, value, *asked->second);
}

Value Pass::drop(const Value& value) {
  const bool drops = training_.dropoutSource && dropout_ > 0;
  return drops ? dropout(tape_, value, dropout_, *training_.dropoutSource) : value;
}

void Pass::setInterventions(const Interventions& interventions) {
  for (const Changeable& each : changeable_) each.step->active = at(each.point, interventions);
}

std::size_t Pass::firstChanged(const Interventions& before, const Interventions& after) const {
  auto first = static_cast<std::size_t>(tape_.operationCount());
  for (const Changeable& each : changeable_)
    if (at(each.point, before) != at(each.point, after)) first = std::min(first, each.made);
  // A value is changed where it lies: whoever changes it again makes it again.
  const auto isChangedTwice = [&](const Changeable& each) {
    return each.made < first && first <= each.changed && !at(each.point, after).empty();
  };
  for (auto each = changeable_.begin(); each != changeable_.end();)
    if (isChangedTwice(*each))
      first = each->made, each = changeable_.begin();
    else
      ++each;
  return first;
}

std::size_t Pass::firstLookingAhead(const Interventions& interventions) const {
  auto first = static_cast<std::size_t>(tape_.operationCount());
  for (const Changeable& each : changeable_)
    if (mayLookAhead(at(each.point, interventions))) first = std::min(first, each.made);
  return first;
}

TensorView viewOf(const NamedValue& point, const Tape& tape) {
  const Value& value = point.value;
  const Extent& extent = tape.extent(value);
  const int T = extent.positions;
  if (value.square)
    return {value.data,
            {value.width, T, tape.extent(value.keys).positions},
            {extent.capacity * value.stride, value.stride, 1}};
  if (point.heads > 0) {
    const int K = value.width / point.heads;
    return {value.data, {T, point.heads, K}, {value.stride, K, 1}};
  }
  return {value.data, {T, value.width}, {value.stride, 1}};
}

}  // namespace glassformer
