#include "app/scene/tensor_ref.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace glassformer {

TensorRef TensorRef::cell(int row, int column) const {
  TensorRef one;
  one.tensor = tensor;
  one.index = index;
  if (rowDimension >= 0) one.index[static_cast<std::size_t>(rowDimension)] += row;
  if (columnDimension >= 0) one.index[static_cast<std::size_t>(columnDimension)] += column;
  return one;
}

std::optional<std::pair<const TensorSet*, int>> TensorSources::standing(const std::string& name) const {
  for (const auto& set : sets_)
    if (const int i = set ? set->find(name) : -1; i >= 0 && (makes_ || set->isMade(i)))
      return std::pair{set.get(), i};
  return std::nullopt;
}

const TracePoint* TensorSources::point(const std::string& name) const {
  const auto at = standing(name);
  return at ? &at->first->point(at->second) : nullptr;
}

std::optional<TensorView> TensorSources::find(const std::string& name) const {
  const auto at = standing(name);
  return at ? std::optional(at->first->tensor(at->second)) : std::nullopt;
}

std::optional<Derivation> TensorSources::derive(const TensorRef& cell) const {
  for (const auto& set : sets_)
    if (set && set->contains(cell.tensor)) return set->derive(cell.tensor, cell.index);
  return std::nullopt;
}

OpenPasses TensorSources::across(const TensorRef& cell) const {
  for (const auto& set : sets_)
    if (set && set->contains(cell.tensor)) return set->across(cell.tensor, cell.index);
  return {};
}

TensorRef TensorSources::locate(Cell cell) const {
  for (const auto& set : sets_)
    if (const auto found = set ? set->locate(cell) : std::nullopt)
      return {set->point(found->tensor).name, found->index};
  return {};
}

TensorSources TensorSources::beside() const {
  TensorSources others;
  others.sets_ = beside_, others.makes_ = makes_;
  return others;
}

std::optional<TensorView> plane(const TensorSources& sources, const TensorRef& ref) {
  const auto tensor = sources.find(ref.tensor);
  if (!tensor || ref.rowDimension >= tensor->rank || ref.columnDimension >= tensor->rank) return std::nullopt;
  std::ptrdiff_t offset = 0;
  for (std::size_t d = 0; d < static_cast<std::size_t>(tensor->rank); ++d) {
    if (ref.index[d] < 0 || ref.index[d] >= tensor->extent[d]) return std::nullopt;
    offset += ref.index[d] * tensor->stride[d];
  }
  const auto span = [&](int dimension, int count) {
    if (dimension < 0) return std::pair<int, std::ptrdiff_t>{1, 0};
    const auto d = static_cast<std::size_t>(dimension);
    const int rest = tensor->extent[d] - ref.index[d];
    return std::pair<int, std::ptrdiff_t>{count < 0 ? rest : std::min(count, rest), tensor->stride[d]};
  };
  const auto [rows, rowStride] = span(ref.rowDimension, ref.rowCount);
  const auto [columns, columnStride] = span(ref.columnDimension, ref.columnCount);
  return TensorView(tensor->data + offset, {rows, columns}, {rowStride, columnStride});
}

std::optional<float> valueOf(const TensorSources& sources, const TensorRef& ref) {
  const auto cells = plane(sources, ref);
  if (!cells) return std::nullopt;
  return (*cells)(0, 0);
}

namespace {
// Pictures ask for the range of large planes in every frame: by whole rows, several numbers at a time.
void widen(Range& range, const TensorView& row) {
  constexpr int lanes = 8;
  const int count = row.extent[0];
  const std::ptrdiff_t stride = row.stride[0];
  int i = 0;
  if (stride == 1) {
    std::array<float, lanes> low, high;
    low.fill(range.low), high.fill(range.high);
    for (; i + lanes <= count; i += lanes)
      for (int lane = 0; lane < lanes; ++lane) {
        const auto l = static_cast<std::size_t>(lane);
        const float value = row.data[i + lane];
        const bool isFinite = std::abs(value) <= std::numeric_limits<float>::max();
        low[l] = (isFinite & (value < low[l])) ? value : low[l];
        high[l] = (isFinite & (value > high[l])) ? value : high[l];
      }
    range = {std::ranges::min(low), std::ranges::max(high)};
  }
  for (; i < count; ++i)
    if (const float value = row.data[i * stride]; std::isfinite(value))
      range.low = std::min(range.low, value), range.high = std::max(range.high, value);
}
}  // namespace

Range rangeOf(const TensorSources& sources, const TensorRef& ref) {
  Range range{std::numeric_limits<float>::max(), std::numeric_limits<float>::lowest()};
  for (const auto& cells : {plane(sources, ref), plane(sources.beside(), ref)})
    for (int row = 0; cells && row < cells->extent[0]; ++row) widen(range, (*cells)[row]);
  return range.low <= range.high ? range : Range{};
}

}  // namespace glassformer
