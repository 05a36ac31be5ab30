#include "core/trace/derived.h"

#include <algorithm>
#include <cmath>

namespace glassformer {

namespace {
// √ of a sum; rounding may have taken it below 0.
Derivation root(Derivation sum) {
  sum.form = Form::Function;
  sum.function = [](double square) { return std::sqrt(std::max(square, 0.0)); };
  sum.functionName = "√";
  return sum;
}
}  // namespace

Derivation derivedLength(const TensorView& x) { return root(derivedDot(x, x)); }

Derivation derivedDot(const TensorView& a, const TensorView& b, float coefficient) {
  Derivation dot;
  for (int d = 0; d < a.extent[0]; ++d) dot.terms.push_back({&a(d), &b(d), coefficient});
  return dot;
}

Derivation derivedCosine(const TensorView& a, const TensorView& b) {
  const double lengths = derivedLength(a).value() * derivedLength(b).value();
  return derivedDot(a, b, lengths > 0 ? static_cast<float>(1 / lengths) : 0);
}

Derivation derivedDifference(Cell a, Cell b) { return {.terms = {{a}, {b, nullptr, -1}}}; }

Derivation derivedFurthest(const TensorView& x) {
  Cell furthest = &x.at({});
  x.forEach([&](const Index& at, float value) {
    if (std::isnan(value) || std::abs(value) > std::abs(*furthest)) furthest = &x.at(at);
  });
  return {.terms = {{furthest, nullptr, *furthest < 0 ? -1.0f : 1.0f}}};
}

Derivation derivedMean(const std::vector<Cell>& numbers) {
  Derivation mean;
  for (const Cell each : numbers)
    mean.terms.push_back({each, nullptr, 1 / static_cast<float>(numbers.size())});
  return mean;
}

Derivation derivedDeviation(const std::vector<Cell>& numbers, Cell mean) {
  const float n = static_cast<float>(numbers.size());
  Derivation squares;
  for (const Cell each : numbers) squares.terms.push_back({each, each, 1 / (n - 1)});
  squares.terms.push_back({mean, mean, -n / (n - 1)});
  return root(std::move(squares));
}

Derivation derivedProduct(std::initializer_list<Cell> numbers, float coefficient) {
  Derivation product{.form = Form::Product};
  if (coefficient != 1) product.terms.push_back({nullptr, nullptr, coefficient});
  for (const Cell number : numbers) product.terms.push_back({number});
  return product;
}

Derivation derivedLogarithm(Cell x) {
  return {.form = Form::Function,
          .terms = {{x}},
          .function = [](double number) { return std::log(number); },
          .functionName = "ln"};
}

Cell addNumber(TensorSet& set, const std::string& name, std::string meaning, double number) {
  set.add({name, "1", std::move(meaning), ""}, Tensor({1}, {static_cast<float>(number)}));
  return &set[name](0);
}

Cell addNumber(TensorSet& set, TracePoint point, const Derivation& made) {
  const std::string name = point.name;
  set.add(std::move(point), Tensor({1}, {static_cast<float>(made.value())}),
          [made](const Index&) { return made; });
  return &set[name](0);
}

Derivation derivedProbability(const TensorView& logits, int entry, const char* over) {
  Derivation probability{.form = Form::Softmax, .chosen = static_cast<std::size_t>(entry), .over = over};
  for (int v = 0; v < logits.extent[0]; ++v) probability.terms.push_back({&logits(v)});
  return probability;
}

}  // namespace glassformer
