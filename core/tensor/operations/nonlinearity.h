#pragma once
#include <optional>
#include <span>
#include <string_view>

#include "core/tensor/operations/elementwise.h"

namespace glassformer {

/// A nonlinearity f for one number in double precision, its slope f′, which passes run backward multiply by,
/// and what they are called.
struct NamedFunction {
  const char* name;  ///< "GELU"
  double (*function)(double);
  const char* slopeName;  ///< "GELU′"
  double (*slope)(double);
};
NamedFunction functionOf(Nonlinearity nonlinearity);
/// What a recurrent state is of its input and of the state before: tanh.
NamedFunction functionOfStates();
/// The one that a number was derived with, by Derivation::functionName; nothing of what no operation applies
/// number by number.
std::optional<NamedFunction> functionCalled(std::string_view name);

/// y = f(x) as a pass computes it, number by number.
void activate(Nonlinearity nonlinearity, std::span<const float> x, std::span<float> y);

}  // namespace glassformer
