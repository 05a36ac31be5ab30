#pragma once
#include <cstdint>

#include "core/model/config.h"

namespace glassformer {

/// How many numbers a model of this config has.
std::int64_t parameterCount(const ModelConfig& config);

/// Multiplications with an addition each in the matrix products of one pass over T tokens, and of the
/// source's S tokens where there is a source: what the time goes into.
std::int64_t multiplyAdds(const ModelConfig& config, int T, int S = 0);

}  // namespace glassformer
