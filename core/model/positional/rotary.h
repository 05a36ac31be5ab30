#pragma once
#include "core/model/positional/positional_encoding.h"

namespace glassformer {

/// Queries and keys are turned by angles that grow with the position, so that their product depends on the
/// distance alone (Su et al. 2021).
const PositionalEncoding& rotaryPositions();
/// The same where a pair is not two neighbouring columns but one of each half, as most published models have
/// it; weights of the one kind are weights of the other in another order.
const PositionalEncoding& rotaryHalvesPositions();

}  // namespace glassformer
