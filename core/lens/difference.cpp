#include "core/lens/difference.h"

#include <cmath>
#include <limits>
#include <optional>

namespace glassformer {

namespace {

using Index = std::array<int, maxRank>;

bool countsPositions(char letter) { return letter == 'T' || letter == 'S'; }

// The columns that a dimension of a tensor runs over; null where it counts no positions.
const Alignment* columnsOf(const TracePoint& point, std::size_t dimension, const Alignments& alignments) {
  const char letter = point.letters[dimension];
  if (letter == 'T') return &alignments.of(point.rows);
  return letter == 'S' ? &alignments.of(point.keys) : nullptr;
}

// The index in text a or b that an index of the difference stands for; empty where that text has none.
std::optional<Index> indexIn(const Index& index, const TracePoint& point, const Alignments& alignments,
                             int Alignment::Column::*text) {
  Index own = index;
  for (std::size_t d = 0; d < point.letters.size(); ++d) {
    const Alignment* columns = columnsOf(point, d, alignments);
    if (!columns) continue;
    own[d] = (*columns)[index[d]].*text;
    if (own[d] < 0) return std::nullopt;
  }
  return own;
}

float minus(float a, float b) {
  const bool bothMasked = std::isinf(a) && a < 0 && a == b;
  return bothMasked ? a : a - b;
}

Tensor emptyLike(TensorView view, const TracePoint& point, const Alignments& alignments) {
  Index extent = view.extent;
  for (std::size_t d = 0; d < point.letters.size(); ++d)
    if (const Alignment* columns = columnsOf(point, d, alignments)) extent[d] = columns->count();
  switch (point.letters.size()) {
    case 0:
      return Tensor(std::initializer_list<int>{});
    case 1:
      return Tensor({extent[0]});
    case 2:
      return Tensor({extent[0], extent[1]});
    case 3:
      return Tensor({extent[0], extent[1], extent[2]});
    default:
      return Tensor({extent[0], extent[1], extent[2], extent[3]});
  }
}

bool comparable(TensorView a, TensorView b, const std::string& letters) {
  for (std::size_t d = 0; d < letters.size(); ++d)
    if (!countsPositions(letters[d]) && a.extent[d] != b.extent[d]) return false;
  return true;
}

}  // namespace

void measureDifference(const TensorSet& a, const TensorSet& b, const Alignments& alignments,
                       TensorSet& differences) {
  for (int i = 0; i < a.count(); ++i) {
    const TracePoint& point = a.point(i);
    const int other = b.find(point.name);
    if (other < 0 || b.point(other).letters != point.letters) continue;
    const TensorView valuesA = a.tensor(i), valuesB = b.tensor(other);
    if (!comparable(valuesA, valuesB, point.letters)) continue;
    Tensor difference = emptyLike(valuesA, point, alignments);
    float* out = difference.values().data();
    difference.view().forEach([&](const Index& index, float) {
      const auto inA = indexIn(index, point, alignments, &Alignment::Column::a);
      const auto inB = indexIn(index, point, alignments, &Alignment::Column::b);
      *out++ =
          inA && inB ? minus(valuesA.at(*inA), valuesB.at(*inB)) : std::numeric_limits<float>::quiet_NaN();
    });
    differences.add(point, std::move(difference));
  }
}

}  // namespace glassformer
