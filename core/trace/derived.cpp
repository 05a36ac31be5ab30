#include "core/trace/derived.h"

#include <cmath>

namespace glassformer {

Derivation derivedLength(const TensorView& x) {
  Derivation length = derivedDot(x, x);
  length.form = Form::Function;
  length.function = [](double square) { return std::sqrt(square); };
  length.functionName = "√";
  return length;
}

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

Derivation derivedProbability(const TensorView& logits, int entry, const char* over) {
  Derivation probability{.form = Form::Softmax, .chosen = static_cast<std::size_t>(entry), .over = over};
  for (int v = 0; v < logits.extent[0]; ++v) probability.terms.push_back({&logits(v)});
  return probability;
}

}  // namespace glassformer
