#pragma once
#include <string>
#include <vector>

#include "core/text/byte_range.h"

namespace glassformer {

/// A text and where its tokens lie in it. They cover it: each begins where the one before ends. The signs
/// around it cover nothing and cannot be edited.
struct TokenizedText {
  std::string text;
  std::vector<ByteRange> tokens;

  int count() const { return static_cast<int>(tokens.size()); }
};

}  // namespace glassformer
