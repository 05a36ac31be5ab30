#pragma once
#include <algorithm>
#include <cmath>
#include <string>

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
  bool takesOneHead() const override { return true; }

 protected:
  /// Row t of a square.
  std::ptrdiff_t at(const Value& square, int b, int h, int t) const {
    return ((static_cast<std::ptrdiff_t>(b) * square.width + h) * extent_.capacity + t) * square.stride;
  }
  /// The gradient of that row.
  float* gradient(const Gradient& square, int b, int h, int t) const {
    return square.data + (square.ofOneHead ? t * square.value.stride : at(square.value, b, h, t));
  }
  /// Columns of head h in row t of a table, of the queries' stream or the keys'.
  std::ptrdiff_t at(const Value& table, int b, int h, int t, int headWidth) const {
    const int capacity = table.stream == Stream::Source ? keyExtent_.capacity : extent_.capacity;
    return (static_cast<std::ptrdiff_t>(b) * capacity + t) * table.stride + h * headWidth;
  }
  /// The same numbers of the first sequence, to say what something was made of.
  Cell squareCell(const Value& square, int h, int t, int s) const {
    return square.data + at(square, 0, h, t) + s;
  }
  Cell headCell(const Value& table, int h, int t, int headWidth, int k) const {
    return table.data + at(table, 0, h, t, headWidth) + k;
  }
  /// A number of a pattern, from the scores of its row; no more is known of keys that the row does not hold.
  Derivation amongKeys(Form form, const Value& scores, const Place& place) const {
    const int S = keys(place.row + 1);
    if (place.column >= S) return {.form = Form::Masked};
    Derivation d{.form = form, .chosen = static_cast<std::size_t>(place.column)};
    for (int s = 0; s < S; ++s) d.terms.push_back({squareCell(scores, place.head, place.row, s)});
    return d;
  }
  /// Keys that rows up to t (exclusive) hold; the gradient of all others is 0.
  int keys(int t) const { return triangular_ && !wholeRows_ ? t : keyExtent_.positions; }
  /// How equations write that products of vectors of K numbers are scaled: " / √K", " / √24", nothing for 1.
  static std::string scaleWords(float scale, int K) {
    const float width = 1 / (scale * scale);
    if (scale == 1) return "";
    const bool isOwn = std::abs(width - static_cast<float>(K)) < 1e-3f * width;
    return " / √" + (isOwn ? "K" : std::to_string(std::lround(width)));
  }
  /// Of a query and a key that it holds, in all heads of all sequences.
  double pairs(int heads) const {
    double sum = 0;
    for (int t = 0; t < queryCount(); ++t) sum += keys(t + 1);
    return sum * heads * extent_.sequences;
  }
  int queryCount() const { return extent_.positions; }
  int keyCount() const { return keyExtent_.positions; }

  /// Backward, visits blocks [begin, end) of `count` positions: of squares that hold more than their triangle
  /// all at once.
  template <typename Visit>
  void eachBlock(int count, Visit visit) const {
    constexpr int positions = 64;
    const int step = triangular_ && !wholeRows_ ? positions : std::max(count, 1);
    for (int begin = 0; begin < count; begin += step) visit(begin, std::min(begin + step, count));
  }
  /// The first query that holds a key.
  int firstQuery(int key) const { return triangular_ && !wholeRows_ ? key : 0; }

  const Extent& keyExtent_;

 private:
  bool triangular_;
};

}  // namespace glassformer
