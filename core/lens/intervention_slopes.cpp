#include "core/lens/intervention_slopes.h"

#include <algorithm>

namespace glassformer {
namespace {

bool changesAt(const Intervention& each, const TensorView& x, const Index& at) {
  const bool isOfRows = described(each.kind).applyToRow;
  for (int d = 0; d < x.rank; ++d) {
    const auto i = static_cast<std::size_t>(d);
    const bool isWithinRow = isOfRows && d == x.rank - 1;
    if (!isWithinRow && each.index[i] != Intervention::every && each.index[i] != at[i]) return false;
  }
  if (!each.tensor) return true;
  const TensorView values = each.tensor->view();  // what it has no number for stays
  const int first = std::max(x.rank - values.rank, 0);
  for (int d = first; d < x.rank; ++d)
    if (at[static_cast<std::size_t>(d)] >= values.extent[static_cast<std::size_t>(d - first)]) return false;
  return true;
}

}  // namespace

InterventionSlopes::InterventionSlopes(const Trace& trace, const Interventions& interventions)
    : trace_(trace) {
  for (const Intervention& each : resolved(interventions, trace.tokens(), trace.source()))
    if (const int point = trace.find(each.point); point >= 0) byPoint_[point].push_back(each);
}

float InterventionSlopes::at(int point, const Index& index) const {
  const auto found = byPoint_.find(point);
  if (found == byPoint_.end()) return 1;
  float left = 1;
  for (const Intervention& each : found->second)
    if (changesAt(each, trace_.tensor(point), index)) left *= described(each.kind).slope(each.value);
  return left;
}

}  // namespace glassformer
