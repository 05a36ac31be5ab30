#pragma once
#include <span>

#include "core/tensor/operations/elementwise.h"

namespace glassformer {

/// A nonlinearity for one number in double precision, and what it is called.
struct NamedFunction {
  const char* name;
  double (*function)(double);
};
NamedFunction functionOf(Nonlinearity nonlinearity);

/// y = f(x) as a pass computes it, number by number.
void activate(Nonlinearity nonlinearity, std::span<const float> x, std::span<float> y);

}  // namespace glassformer
