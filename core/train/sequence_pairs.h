#pragma once
#include <vector>

namespace glassformer {

/// B pairs of a source and a target sequence for an encoder-decoder. Rows are filled up to S and T tokens
/// with the end-of-text sign.
struct SequencePairBatch {
  std::vector<int> source;        ///< [B · S] what the encoder reads
  std::vector<int> sourceLength;  ///< [B] tokens of `source` that count; the others are masked
  /// [B · T] what the decoder reads: the end-of-text sign as the start, then the target's tokens.
  std::vector<int> tokens;
  /// [B · T] the right next tokens: the target's and the end-of-text sign; Targets::none behind it.
  std::vector<int> targets;
};

}  // namespace glassformer
