#pragma once
#include <memory>
#include <string_view>
#include <vector>

#include "core/text/byte_pair_encoding.h"

namespace glassformer {

/// Learns a byte-level vocabulary from a text (Sennrich et al. 2016): start from the 256 bytes; again and
/// again join the pair of neighbouring tokens that occurs most often, never across the pieces of
/// splitIntoPieces(). Of pairs that occur equally often, the one whose left token, then right token, is
/// smaller in byte order goes first, so that the same text always gives the same vocabulary. A pair whose
/// result is a token already is passed over.
///
/// `<|endoftext|>` written in the corpus separates texts and is not learned from.
///
/// `vocabularySize` counts the 256 bytes (ids 0 to 255, in GPT-2's order) and the special tokens (the last
/// ids, in the order given), hence must be at least as many. The result is smaller where the text runs out of
/// pairs that occur twice.
BytePairEncoding trainBytePairEncoding(std::string_view corpus, int vocabularySize,
                                       const std::vector<std::string_view>& specialNames = {
                                           BytePairEncoding::endOfTextName});

/// The same, merge by merge, for whoever watches it.
class BytePairLearning {
 public:
  explicit BytePairLearning(std::string_view corpus);
  ~BytePairLearning();
  /// Learns one merge more; false: no pair occurs twice any more.
  bool advance();
  int merges() const;
  /// What it has learned so far.
  BytePairEncoding encoding() const;

 private:
  std::unique_ptr<class BytePairTrainer> trainer_;
};

}  // namespace glassformer
