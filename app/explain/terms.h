#pragma once
#include "app/explain/explain.h"
#include "core/tensor/derivation.h"

namespace glassformer {

/// What made a number of the forward pass, with the numbers filled in.
Explanation explained(const Derivation& derivation);

}  // namespace glassformer
