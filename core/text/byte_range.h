#pragma once
#include <cstddef>

namespace glassformer {

/// Bytes [begin, end) of a text.
struct ByteRange {
  std::size_t begin = 0, end = 0;

  bool isEmpty() const { return begin == end; }
  bool operator==(const ByteRange&) const = default;
};

}  // namespace glassformer
