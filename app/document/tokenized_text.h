#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace glassformer {

/// Bytes [begin, end) of a text.
struct ByteRange {
  std::size_t begin = 0, end = 0;
  bool isEmpty() const { return begin == end; }
};

/// A text and where its tokens lie in it. They cover it: each begins where the one before ends. The start
/// sign covers nothing and cannot be edited.
struct TokenizedText {
  std::string text;
  std::vector<ByteRange> tokens;

  int count() const { return static_cast<int>(tokens.size()); }
};

}  // namespace glassformer
