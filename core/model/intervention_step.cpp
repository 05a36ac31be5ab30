#include "core/model/intervention_step.h"

#include <algorithm>
#include <optional>

#include "core/tensor/kernels.h"

namespace glassformer {
namespace {

bool selects(int chosen, int index) { return chosen == Intervention::every || chosen == index; }

// Nothing where the intervention's tensor has no such element: it was made for a shorter text.
template <typename... Index>
std::optional<float> operandAt(const Intervention& intervention, Index... index) {
  if (!intervention.tensor) return intervention.value;
  const TensorView values = intervention.tensor->view();
  int d = 0;
  const bool isThere = values.rank == static_cast<int>(sizeof...(index)) &&
                       ((index < values.extent[static_cast<std::size_t>(d++)]) && ...);
  return isThere ? std::optional(values(index...)) : std::nullopt;
}

bool isOnePlane(const Intervention& i) { return i.tensor && i.tensor->view().rank == 2; }

}  // namespace

InterventionStep::InterventionStep(const Tape& tape, Value x, Value y, int heads)
    : Operation(tape.extent(y)),
      keyExtent_(tape.extent(y.keys)),
      headWidth_(heads > 0 ? y.width / heads : 0),
      dx_{x},
      dy_{y} {}

std::vector<Gradient*> InterventionStep::operands() {
  return inPlace() ? std::vector<Gradient*>{} : std::vector<Gradient*>{&dx_};
}

void InterventionStep::forward(const Work& work) {
  if (!inPlace()) copyRows(work);
  for (const Intervention& intervention : active) {
    const InterventionDescription& kind = described(intervention.kind);
    if (kind.applyToRow)
      eachSelectedRow(intervention, work, [&](std::ptrdiff_t first, int n) {
        kind.applyToRow({dy_.value.data + first, static_cast<std::size_t>(n)});
      });
    else
      eachSelected(intervention, work, [&](std::ptrdiff_t cell, float operand) {
        dy_.value.data[cell] = kind.apply(dy_.value.data[cell], operand);
      });
  }
}

// dx (+)= dy ⊙ ∂y/∂x, where several interventions at one cell multiply.
void InterventionStep::backwardRows(const Work& work) {
  const Value &x = dx_.value, &y = dy_.value;
  const int h = work.head;
  for (const Intervention& intervention : active)
    if (described(intervention.kind).applyToRow)
      eachSelectedRow(intervention, work, [&](std::ptrdiff_t first, int n) {
        std::fill_n(dy_.data + first, n, described(intervention.kind).slope(0));
      });
    else
      eachSelected(intervention, work, [&](std::ptrdiff_t cell, float operand) {
        dy_.data[cell] *= described(intervention.kind).slope(operand);
      });
  for (int t = work.rowBegin; t < work.rowEnd; ++t)
    if (y.square)
      passRowOn(dy_.data + at(y, h, t), dx_.data + at(x, h, t), keyExtent_.positions);
    else
      passRowOn(dy_.data + t * y.stride, dx_.data + t * x.stride, y.width);
}

void InterventionStep::passRowOn(const float* dy, float* dx, int n) const {
  if (dx_.accumulate)
    kernels().accumulate(dy, dx, n);
  else
    std::copy_n(dy, n, dx);
}

void InterventionStep::copyRows(const Work& work) {
  const Value &x = dx_.value, &y = dy_.value;
  for (int t = work.rowBegin; t < work.rowEnd; ++t)
    if (y.square)
      std::copy_n(x.data + at(x, work.head, t), keys(work.rowEnd), y.data + at(y, work.head, t));
    else
      std::copy_n(x.data + t * x.stride, x.width, y.data + t * y.stride);
}

template <typename Visit>
void InterventionStep::eachSelected(const Intervention& i, const Work& work, Visit visit) const {
  dy_.value.square ? eachSelectedInSquare(i, work, visit) : eachSelectedInRows(i, work, visit);
}

// Where the rows that an intervention selects begin, and how long they are; which of their cells it selects
// does not matter. A row of a table whose columns are heads side by side ends with its head.
template <typename Visit>
void InterventionStep::eachSelectedRow(const Intervention& i, const Work& work, Visit visit) const {
  const Value& y = dy_.value;
  if (y.square && !selects(i.index[0], work.head)) return;
  for (int t = work.rowBegin; t < work.rowEnd; ++t) {
    if (!selects(i.index[y.square ? 1 : 0], t)) continue;
    if (y.square) {
      visit(at(y, work.head, t), keys(t + 1));
      continue;
    }
    const int width = headWidth_ > 0 ? headWidth_ : y.width;
    for (int head = 0; head < y.width / width; ++head)
      if (headWidth_ == 0 || selects(i.index[1], head)) visit(t * y.stride + head * width, width);
  }
}

template <typename Visit>
void InterventionStep::eachSelectedInRows(const Intervention& i, const Work& work, Visit visit) const {
  const Value& y = dy_.value;
  const bool perHead = headWidth_ > 0;
  for (int t = work.rowBegin; t < work.rowEnd; ++t) {
    if (!selects(i.index[0], t)) continue;
    for (int column = 0; column < y.width; ++column) {
      const int head = perHead ? column / headWidth_ : 0, k = perHead ? column % headWidth_ : column;
      if (perHead ? !selects(i.index[1], head) || !selects(i.index[2], k) : !selects(i.index[1], k)) continue;
      const auto operand = perHead ? operandAt(i, t, head, k) : operandAt(i, t, k);
      if (operand) visit(t * y.stride + column, *operand);
    }
  }
}

template <typename Visit>
void InterventionStep::eachSelectedInSquare(const Intervention& i, const Work& work, Visit visit) const {
  if (!selects(i.index[0], work.head)) return;
  for (int t = work.rowBegin; t < work.rowEnd; ++t) {
    if (!selects(i.index[1], t)) continue;
    for (int s = 0; s < keys(t + 1); ++s)
      if (const auto operand = isOnePlane(i) ? operandAt(i, t, s) : operandAt(i, work.head, t, s);
          operand && selects(i.index[2], s))
        visit(at(dy_.value, work.head, t) + s, *operand);
  }
}

bool mayLookAhead(const Interventions& interventions) {
  return std::ranges::any_of(interventions, [](const Intervention& i) {
    const bool square = i.point.ends_with("hook_pattern") || i.point.ends_with("hook_attn_scores");
    return square && (i.kind == InterventionKind::Add || i.kind == InterventionKind::Replace);
  });
}

}  // namespace glassformer
