#include "core/tensor/operations/nonlinearity.h"

#include <cmath>
#include <numbers>

namespace glassformer {
namespace {

// GELU_tanh(u) = u/2 (1 + tanh a), with a = √(2/π) (u + 0.044715 u³), and a′ = √(2/π) (1 + 3 · 0.044715 u²).
const double rootOfTwoByPi = std::sqrt(2 / std::numbers::pi);
double bent(double u) { return std::tanh(rootOfTwoByPi * (u + 0.044715 * u * u * u)); }
double geluTanh(double u) { return u / 2 * (1 + bent(u)); }
double geluTanhSlope(double u) {
  const double t = bent(u);
  return (1 + t) / 2 + u / 2 * (1 - t * t) * rootOfTwoByPi * (1 + 3 * 0.044715 * u * u);
}

// GELU(u) = u Φ(u), and GELU′(u) = Φ(u) + u φ(u), with the normal distribution's Φ and its density φ.
double normalUpTo(double u) { return (1 + std::erf(u / std::numbers::sqrt2)) / 2; }
double gelu(double u) { return u * normalUpTo(u); }
double geluSlope(double u) {
  return normalUpTo(u) + u * std::exp(-u * u / 2) / std::sqrt(2 * std::numbers::pi);
}

// silu′ = p (1 + u (1 − p)), with p = 1 / (1 + e⁻ᵘ).
double logistic(double u) { return 1 / (1 + std::exp(-u)); }
double siluSlope(double u) { return logistic(u) * (1 + u * (1 - logistic(u))); }

}  // namespace

NamedFunction functionOf(Nonlinearity nonlinearity) {
  switch (nonlinearity) {
    case Nonlinearity::GeluTanh:
      return {"GELU_tanh", geluTanh, "GELU_tanh′", geluTanhSlope};
    case Nonlinearity::Gelu:
      return {"GELU", gelu, "GELU′", geluSlope};
    case Nonlinearity::Relu:
      return {"ReLU", [](double u) { return u > 0 ? u : 0.0; }, "ReLU′",
              [](double u) { return u > 0 ? 1.0 : 0.0; }};
    case Nonlinearity::Silu:
      return {"silu", [](double u) { return u * logistic(u); }, "silu′", siluSlope};
    case Nonlinearity::EluPlusOne:
      break;
  }
  return {"φ", [](double u) { return u > 0 ? u + 1 : std::exp(u); }, "φ′",
          [](double u) { return u > 0 ? 1 : std::exp(u); }};
}

NamedFunction functionOfStates() {
  return {"tanh", [](double u) { return std::tanh(u); }, "tanh′",
          [](double u) { return 1 - std::tanh(u) * std::tanh(u); }};
}

std::optional<NamedFunction> functionCalled(std::string_view name) {
  for (const Nonlinearity each : {Nonlinearity::GeluTanh, Nonlinearity::Gelu, Nonlinearity::Relu,
                                  Nonlinearity::Silu, Nonlinearity::EluPlusOne})
    if (functionOf(each).name == name) return functionOf(each);
  return functionOfStates().name == name ? std::optional(functionOfStates()) : std::nullopt;
}

}  // namespace glassformer
