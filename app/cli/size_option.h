#pragma once
#include <string>

#include "core/result.h"

namespace glassformer {

struct PixelSize {
  int width = 0, height = 0;
};

/// WIDTHxHEIGHT, 64 to 16384 each.
Result<PixelSize> parsedSize(const std::string& size);

}  // namespace glassformer
