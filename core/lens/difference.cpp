#include "core/lens/difference.h"

#include <limits>
#include <vector>

namespace glassformer {

namespace {

using Index = std::array<int, maxRank>;
constexpr float absent = std::numeric_limits<float>::quiet_NaN();
constexpr float masked = -std::numeric_limits<float>::infinity();

bool countsPositions(char letter) { return letter == 'T' || letter == 'S'; }

// The columns that a dimension of a tensor runs over; null where it counts no positions.
const Alignment* columnsOf(const TracePoint& point, std::size_t dimension, const Alignments& alignments) {
  const char letter = point.letters[dimension];
  if (letter == 'T') return &alignments.of(point.rows);
  return letter == 'S' ? &alignments.of(point.keys) : nullptr;
}

float minus(float a, float b) { return a == masked && b == masked ? masked : a - b; }

// a − b, number by number in the order of the difference's indices: what is looked up in the alignments is so
// once for each index of a dimension.
class Subtraction {
 public:
  Subtraction(const TensorView& a, const TensorView& b, const TracePoint& point, const Alignments& alignments)
      : a_(a.data), b_(b.data) {
    for (std::size_t d = 0; d < point.letters.size(); ++d) {
      Steps& steps = steps_.emplace_back();
      const Alignment* columns = columnsOf(point, d, alignments);
      const int count = columns ? columns->count() : a.extent[d];
      for (int i = 0; i < count; ++i) {
        const Alignment::Column at = columns ? (*columns)[i] : Alignment::Column{i, i};
        steps.all.push_back({at.a * a.stride[d], at.b * b.stride[d], at.a >= 0 && at.b >= 0});
      }
      steps.isDense = !columns && a.stride[d] == 1 && b.stride[d] == 1;
    }
  }

  void writeTo(float* out) {
    out_ = out;
    along(0, a_, b_);
  }

 private:
  struct Step {
    std::ptrdiff_t a, b;  // how far its numbers lie from the dimension's first ones
    bool isInBoth;
  };
  struct Steps {
    std::vector<Step> all;
    bool isDense = false;
  };

  // All numbers from this dimension on; a and b null: one text has nothing there.
  void along(std::size_t dimension, const float* a, const float* b) {
    if (steps_.empty()) return void(*out_ = minus(*a, *b));
    const Steps& steps = steps_[dimension];
    const std::size_t count = steps.all.size();
    if (a && steps.isDense && dimension + 1 == steps_.size()) {
      for (std::size_t i = 0; i < count; ++i) out_[i] = minus(a[i], b[i]);
      out_ += count;
    } else if (dimension + 1 == steps_.size()) {
      for (const Step& step : steps.all) *out_++ = a && step.isInBoth ? minus(a[step.a], b[step.b]) : absent;
    } else {
      for (const Step& step : steps.all)
        a&& step.isInBoth ? along(dimension + 1, a + step.a, b + step.b)
                          : along(dimension + 1, nullptr, nullptr);
    }
  }

  std::vector<Steps> steps_;
  const float *a_, *b_;
  float* out_ = nullptr;  // where the next number goes
};

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
    Subtraction(valuesA, valuesB, point, alignments).writeTo(difference.values().data());
    differences.add(point, std::move(difference));
  }
}

}  // namespace glassformer
