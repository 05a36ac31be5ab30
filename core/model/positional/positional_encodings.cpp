#include "core/model/positional/positional_encodings.h"

#include <array>

#include "core/model/positional/alibi.h"
#include "core/model/positional/bucketed.h"
#include "core/model/positional/concatenated.h"
#include "core/model/positional/learned.h"
#include "core/model/positional/none.h"
#include "core/model/positional/relative.h"
#include "core/model/positional/rotary.h"
#include "core/model/positional/sinusoidal.h"

namespace glassformer {

std::span<const PositionalEncoding* const> positionalEncodings() {
  static const std::array all{
      &noPositions(),       &sinusoidalPositions(),   &sinusoidalHalvesPositions(), &learnedPositions(),
      &relativePositions(), &rotaryPositions(),       &rotaryHalvesPositions(),     &alibiPositions(),
      &bucketedPositions(), &concatenatedPositions(),
  };
  return all;
}

const PositionalEncoding* findPositionalEncoding(std::string_view id) {
  for (const PositionalEncoding* encoding : positionalEncodings())
    if (encoding->description().id == id) return encoding;
  return nullptr;
}

}  // namespace glassformer
