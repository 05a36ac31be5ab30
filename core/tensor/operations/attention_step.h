#pragma once
#include "core/tensor/tape.h"

namespace glassformer {

/// One step of attention: works per sequence and head, on rows of [T, S] squares and on the head's columns of
/// tables.
class AttentionStep : public Operation {
 public:
  /// `square`: the scores or pattern that the step reads or writes.
  AttentionStep(const Tape& tape, const Value& square)
      : Operation(tape.extent(square.stream)),
        keyExtent_(tape.extent(square.keys)),
        triangular_(square.triangular) {}
  Domain domain() const override { return Domain::Heads; }

 protected:
  /// Row t of a square.
  std::ptrdiff_t at(const Value& square, int b, int h, int t) const {
    return ((static_cast<std::ptrdiff_t>(b) * square.width + h) * extent_.capacity + t) * square.stride;
  }
  /// Columns of head h in row t of a table, of the queries' stream or the keys'.
  std::ptrdiff_t at(const Value& table, int b, int h, int t, int headWidth) const {
    const int capacity = table.stream == Stream::Source ? keyExtent_.capacity : extent_.capacity;
    return (static_cast<std::ptrdiff_t>(b) * capacity + t) * table.stride + h * headWidth;
  }
  /// Keys that rows up to t (exclusive) hold; the gradient of all others is 0.
  int keys(int t) const { return triangular_ && !extent_.wholeRows ? t : keyExtent_.positions; }
  int queryCount() const { return extent_.positions; }
  int keyCount() const { return keyExtent_.positions; }

  template <typename Step>
  void eachHead(int heads, Step step) const {
    for (int b = 0; b < extent_.sequences; ++b)
      for (int h = 0; h < heads; ++h) step(b, h);
  }

  const Extent& keyExtent_;

 private:
  bool triangular_;
};

}  // namespace glassformer
