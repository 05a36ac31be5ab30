#include "core/io/trace_check.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/io/derived_config.h"
#include "core/io/extents_text.h"
#include "core/model/catalogue.h"

namespace glassformer {
namespace {

std::vector<std::int64_t> extentsOf(const TensorView& view) {
  return {view.extent.begin(), view.extent.begin() + view.rank};
}

PointCheck compared(const std::string& name, const TensorView& ours, const std::vector<float>& theirs) {
  PointCheck point{.name = name, .rank = ours.rank};
  const std::vector<float> own = ours.copy();
  double largest = std::numeric_limits<double>::min(), worst = -1;
  std::size_t place = 0;
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (own[i] < maskedScore && theirs[i] < maskedScore) continue;
    const double difference = std::abs(static_cast<double>(own[i]) - theirs[i]);
    if (!(difference <= worst)) worst = difference, place = i;  // also where it is no number
    if (std::isfinite(theirs[i])) largest = std::max(largest, std::abs(static_cast<double>(theirs[i])));
    if (std::isnan(worst)) break;
  }
  if (own.empty()) return point;
  point.error =
      std::isfinite(worst) ? std::max(worst, 0.0) / largest : std::numeric_limits<double>::infinity();
  point.ours = own[place], point.theirs = theirs[place];
  for (int d = ours.rank - 1; d >= 0; --d) {
    const auto extent = static_cast<std::size_t>(ours.extent[static_cast<std::size_t>(d)]);
    point.index[static_cast<std::size_t>(d)] = static_cast<int>(place % extent);
    place /= extent;
  }
  return point;
}

}  // namespace

const PointCheck* TraceCheck::firstBeyond(double tolerance) const {
  const auto found =
      std::ranges::find_if(points, [&](const PointCheck& point) { return !(point.error <= tolerance); });
  return found == points.end() ? nullptr : &*found;
}

Result<TraceCheck> checkTrace(const Trace& trace, const StoredTensors& dump) {
  TraceCheck check;
  for (const StoredTensor& stored : dump.tensors())
    if (!trace.contains(stored.name)) check.unknown.push_back(stored.name);
  for (int i = 0; i < trace.count(); ++i) {
    const std::string& name = trace.point(i).name;
    const StoredTensor* stored = dump.find(name);
    if (!stored || !stored->isFloat()) continue;
    std::vector<std::int64_t> shape = stored->shape;
    const std::vector<std::int64_t> own = extentsOf(trace.tensor(i));
    while (shape.size() > own.size() && shape.front() == 1) shape.erase(shape.begin());
    if (shape != own) {
      check.otherShape.push_back(name + " is " + extentsText(stored->shape) + ", here " + extentsText(own));
      continue;
    }
    const auto theirs = stored->converted();
    if (!theirs) return theirs.error();
    check.points.push_back(compared(name, trace.tensor(i), *theirs));
  }
  return check;
}

bool couldBeOf(const StoredTensors& dump, const ModelConfig& config) {
  bool isAny = false;
  for (const DescribedPoint& described : describedPoints(config, 0, 0)) {
    const StoredTensor* stored = dump.find(described.point.name);
    if (!stored) continue;
    isAny = true;
    const std::size_t rank = described.extent.size(), extra = stored->shape.size() - rank;
    if (stored->shape.size() < rank) return false;
    for (std::size_t d = 0; d < rank; ++d)
      if (described.extent[d] > 0 && stored->shape[d + extra] != described.extent[d]) return false;
  }
  return isAny;
}

std::string cellWords(const PointCheck& point) {
  return point.name + extentsText(std::vector<int>(point.index.begin(), point.index.begin() + point.rank));
}

}  // namespace glassformer
