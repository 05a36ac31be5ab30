#pragma once
#include <string>

#include "core/model/config.h"

namespace glassformer {

/// The places along the residual stream (see core/lens/residual_stream.h), as pictures name them.

/// One stack of a model, as these names take it: the encoder of an encoder-decoder has no attention across.
ModelConfig stackOf(const ModelConfig& config, Stream stream);

/// "the embedding", "block 2's attention", "block 2's cross-attention", "block 2's MLP".
std::string placeWords(const ModelConfig& config, int place);
/// "embed", "0 attn" (or "0 RNN", "0 conv"), "0 cross", "0 MLP".
std::string placeLabel(const ModelConfig& config, int place);
/// What of a block: "attention" or "attn" where short, "recurrence", "convolution", "cross", "MLP", "embed";
/// of a block that adds once, of both, "attn + MLP", or "both".
std::string sublayerName(const ModelConfig& config, int place, bool isShort);
/// "attention", "recurrence", "convolution", or "attn", "RNN", "conv".
std::string mixingName(Mixing mixing, bool isShort);
/// "4", or, where an encoder is not as deep as its decoder, "6 + 4".
std::string depthWords(const ModelConfig& config);
/// Which token a tap of the convolution reads: "itself", "2 before", "1 behind".
std::string tapWords(const ModelConfig& config, int tap);
/// "4 blocks of 4 heads", "4 blocks of recurrence".
std::string blocksWords(const ModelConfig& config);
/// How many places each block has.
int placesPerBlock(const ModelConfig& config);
/// Its block; -1: the embedding.
inline int blockOfPlace(const ModelConfig& config, int place) {
  return place == 0 ? -1 : (place - 1) / placesPerBlock(config);
}

}  // namespace glassformer
