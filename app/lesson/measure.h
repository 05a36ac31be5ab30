#pragma once
#include <string>
#include <vector>

#include "app/engine/snapshot.h"
#include "app/scene/tensor_ref.h"
#include "core/result.h"

namespace glassformer {

/// What a measure comes to: numbers, one or a row of them, or words.
struct Measured {
  std::vector<double> numbers;
  std::string words;
  bool isWords = false;

  /// Of a comparison: 1. Of words: that there are any.
  bool isTrue() const { return isWords ? !words.empty() : !numbers.empty() && numbers.front() != 0; }
  double number() const { return numbers.empty() ? 0 : numbers.front(); }
};

/// Measures a pass, as lessons write it: arithmetic and comparisons over the cells of any named tensor.
///
///   blocks.2.attn.hook_pattern[3, -1, "animal"] > 0.8
///   token(argmax blocks.2.attn.hook_pattern[3, -1, :]) == "animal"
///   p("animal"), p("street")                     several numbers
///   next == "street"      p("street") > 0.5      continuation == " street."
///
/// An index is a number (negative: from the end), a colon for all, or a token's text, which stands for its
/// first place in the text, in what is read, or in the vocabulary, as the dimension asks. `other.` before a
/// name reads the text that is compared. Functions: argmax, max, min, sum, mean, abs, sqrt, exp, log;
/// p(word): how probable it is to come next; token(i), next, tokens, continuation.
Result<Measured> measure(const std::string& expression, const Snapshot& snapshot);

/// The cells that "blocks.2.attn.hook_pattern[3, -1, :]" names. An error where there are none such.
struct NamedCells {
  TensorRef first;         ///< the cell with the least indices
  std::vector<int> spans;  ///< the dimensions of which all are meant
};
Result<NamedCells> namedCells(const std::string& expression, const Snapshot& snapshot);

}  // namespace glassformer
