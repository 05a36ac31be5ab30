#pragma once
#include "core/model/positional/positional_encoding.h"

namespace glassformer {

/// Queries and keys are turned by angles that grow with the position, so that their product depends on the
/// distance alone (Su et al. 2021).
const PositionalEncoding& rotaryPositions();

}  // namespace glassformer
