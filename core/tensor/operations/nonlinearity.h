#pragma once
#include "core/tensor/operations/elementwise.h"

namespace glassformer {

/// A nonlinearity for one number in double precision, and what it is called.
struct NamedFunction {
  const char* name;
  double (*function)(double);
};
NamedFunction functionOf(Nonlinearity nonlinearity);

}  // namespace glassformer
