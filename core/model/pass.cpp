#include "core/model/pass.h"

#include <cassert>
#include <cmath>

namespace glassformer {

// Overrides parts of a value where the pass computes it. -inf (a masked score) stays masked under scaling and
// adding.
class Pass::InterventionStep final : public Operation {
 public:
  InterventionStep(const Tape& tape, Value value, int heads)
      : Operation(tape.extent(value)),
        keyExtent_(tape.extent(value.keys)),
        value_(value),
        headWidth_(heads > 0 ? value.width / heads : 0) {}

  // A recurrent row is changed before the next one is made of it.
  Domain domain() const override {
    if (value_.recurrent) return Domain::Time;
    return value_.square ? Domain::Heads : Domain::Rows;
  }

  void forward(const Work& work) override {
    for (const Intervention& intervention : active)
      value_.square ? applyToSquare(intervention, work) : applyToRows(intervention, work);
  }

  std::vector<Intervention> active;

 private:
  static void apply(const Intervention& i, float& cell, float operand) {
    switch (i.kind) {
      case InterventionKind::Zero:
        cell = std::isinf(cell) ? cell : 0;
        break;
      case InterventionKind::Scale:
        cell = std::isinf(cell) ? cell : cell * operand;
        break;
      case InterventionKind::Add:
        cell += operand;
        break;
      case InterventionKind::Replace:
        cell = operand;
        break;
    }
  }
  static bool selects(int chosen, int index) { return chosen == Intervention::every || chosen == index; }

  void applyToRows(const Intervention& i, const Work& work) {
    const bool perHead = headWidth_ > 0;
    for (int t = work.rowBegin; t < work.rowEnd; ++t) {
      if (!selects(i.index[0], t)) continue;
      for (int column = 0; column < value_.width; ++column) {
        const int head = perHead ? column / headWidth_ : 0, k = perHead ? column % headWidth_ : column;
        if (perHead ? !selects(i.index[1], head) || !selects(i.index[2], k) : !selects(i.index[1], k))
          continue;
        float operand = i.value;
        if (i.tensor) operand = perHead ? i.tensor->view()(t, head, k) : i.tensor->view()(t, k);
        apply(i, value_.data[t * value_.stride + column], operand);
      }
    }
  }

  void applyToSquare(const Intervention& i, const Work& work) {
    if (!selects(i.index[0], work.head)) return;
    for (int t = work.rowBegin; t < work.rowEnd; ++t) {
      if (!selects(i.index[1], t)) continue;
      const int keys = value_.triangular && !extent_.wholeRows ? t + 1 : keyExtent_.positions;
      float* row =
          value_.data + (static_cast<std::ptrdiff_t>(work.head) * extent_.capacity + t) * value_.stride;
      for (int s = 0; s < keys; ++s)
        if (selects(i.index[2], s)) apply(i, row[s], i.tensor ? i.tensor->view()(work.head, t, s) : i.value);
    }
  }

  const Extent& keyExtent_;
  Value value_;
  int headWidth_;
};

Weight Pass::weight(const std::string& name) const {
  const int i = parameters_.find(name);
  assert(i >= 0);
  const TensorView view = parameters_.view(i);
  return {view.data, training_.gradients ? training_.gradients + parameters_.offset(i) : nullptr,
          view.rank == 2 ? view.extent[0] : 1, view.extent[view.rank - 1]};
}

void Pass::watch(std::string_view name, const Value& value, int heads) {
  points_.push_back({prefix_ + std::string(name), value, heads});
}

Value Pass::point(std::string_view name, const Value& value, int heads) {
  watch(name, value, heads);
  if (!interventions_) return value;
  auto step = std::make_unique<InterventionStep>(tape_, value, heads);
  steps_.emplace_back(points_.back().name, step.get());
  tape_.add(std::move(step));
  return value;
}

Value Pass::drop(const Value& value) {
  const bool drops = training_.dropoutSource && dropout_ > 0;
  return drops ? dropout(tape_, value, dropout_, *training_.dropoutSource) : value;
}

void Pass::setInterventions(const Interventions& interventions) {
  for (auto& [name, step] : steps_) {
    step->active.clear();
    for (const Intervention& intervention : interventions)
      if (intervention.point == name) step->active.push_back(intervention);
  }
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
