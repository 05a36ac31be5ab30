#pragma once
#include <memory>
#include <span>
#include <vector>

#include "core/model/live_pass.h"
#include "core/text/tokenizer.h"

namespace glassformer {

/// A trained encoder-decoder at work: what it writes about a source, and where it looks meanwhile.
class Translator {
 public:
  Translator(std::shared_ptr<const Transformer> model, const Tokenizer& tokenizer, int threads = 2)
      : tokenizer_(tokenizer), pass_(std::move(model), threads) {}

  const Transformer& model() const { return pass_.model(); }
  /// The best hypothesis of a beam of that width (1: greedy), without start and end signs.
  std::vector<int> translate(std::span<const int> source, int width);
  /// The cross-attention of a layer [T, S], its heads averaged, while the decoder reads `tokens`.
  Tensor attention(int layer, std::span<const int> source, std::span<const int> tokens);
  /// The encoder's own attention [H, S, S], a tensor a layer.
  std::vector<Tensor> encoderAttention(std::span<const int> source);

 private:
  const Tokenizer& tokenizer_;
  LivePass pass_;
};

}  // namespace glassformer
