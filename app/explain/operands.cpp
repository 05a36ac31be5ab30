#include "app/explain/operands.h"

#include <algorithm>
#include <cmath>

#include "app/scene/format.h"

namespace glassformer {

Explanation lengthOf(const Operands& o, const std::string& tensor, std::array<int, maxRank> first,
                     int dimension, const std::string& of) {
  const int count = o.extent(tensor, dimension);
  double square = 0;
  for (int& i = first[static_cast<std::size_t>(dimension)]; i < count; ++i)
    square += std::pow(static_cast<double>(o.at(tensor, first)), 2);
  return {{"= √" + formatted(static_cast<float>(square)) + ", the sum of " + std::to_string(count) +
           " squares of " + of},
          static_cast<float>(std::sqrt(square)),
          false};
}

std::string signedOperand(float value) { return value < 0 ? "(" + formatted(value) + ")" : formatted(value); }

Explanation sum(float a, float b) { return {{"= " + formatted(a) + " + " + signedOperand(b)}, a + b, false}; }

Explanation softmax(const std::vector<float>& values, std::size_t chosen, const std::string& over) {
  const float most = *std::max_element(values.begin(), values.end());
  const float shift = most > 8 || most < -8 ? most : 0;
  double total = 0;
  int count = 0;
  for (const float v : values)
    if (v > -INFINITY) total += std::exp(static_cast<double>(v) - shift), ++count;
  const auto part = static_cast<float>(std::exp(static_cast<double>(values[chosen]) - shift));
  const std::string exponent =
      shift == 0 ? formatted(values[chosen]) : formatted(values[chosen]) + " − " + signedOperand(shift);
  return {{"= exp(" + exponent + ") / Σ over " + std::to_string(count) + " " + over,
           "= " + formatted(part) + " / " + formatted(static_cast<float>(total))},
          part / static_cast<float>(total),
          false};
}

}  // namespace glassformer
