#pragma once
#include "core/model/positional/positional_encoding.h"

namespace glassformer {

/// No positions at all: without a mask, a transformer then sees a text as a bag of tokens.
const PositionalEncoding& noPositions();

}  // namespace glassformer
