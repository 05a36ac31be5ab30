#pragma once
#include <cstdint>

#include "core/model/config.h"

namespace glassformer {

/// How many numbers a model of this config has.
std::int64_t parameterCount(const ModelConfig& config);

/// Multiplications with an addition each in the matrix products of a pass: what the time goes into.
struct MultiplyAdds {
  std::int64_t perToken = 0,  ///< of the text: the weights that its row is multiplied with
      perSourceToken = 0,     ///< the same of the source
      perState = 0,           ///< of each token behind the first, by the state before it
      perPair = 0,            ///< of two tokens of the text: scores q · kᵀ and readout A · v
      perSourcePair = 0,      ///< of two of the source
      perCrossPair = 0;       ///< of one of the text and one of the source

  /// Of T tokens and the source's S.
  std::int64_t over(std::int64_t T, std::int64_t S = 0) const {
    return T * perToken + S * perSourceToken + (T - 1) * perState + T * T * perPair + S * S * perSourcePair +
           T * S * perCrossPair;
  }
};
MultiplyAdds multiplyAddsOf(const ModelConfig& config);

/// Those of one pass over T tokens, and over the source's S tokens where there is a source.
std::int64_t multiplyAdds(const ModelConfig& config, int T, int S = 0);

}  // namespace glassformer
