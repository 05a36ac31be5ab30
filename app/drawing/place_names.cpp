#include "app/drawing/place_names.h"

#include "core/lens/residual_stream.h"

namespace glassformer {

namespace {

enum class Sublayer { Mixing, Across, Mlp, Both };

Sublayer sublayerOf(const ModelConfig& config, int place) {
  if (config.hasSingleResidualAdd() && config.hasFeedForward()) return Sublayer::Both;
  const int i = (place - 1) % placesPerBlock(config);
  if (i == 0) return Sublayer::Mixing;
  return i == 1 && config.isEncoderDecoder() ? Sublayer::Across : Sublayer::Mlp;
}

}  // namespace

ModelConfig stackOf(const ModelConfig& config, Stream stream) {
  ModelConfig own = config;
  if (stream == Stream::Source) own.stack = Stack::EncoderOnly;
  return own;
}

std::string mixingName(Mixing mixing, bool isShort) {
  switch (mixing) {
    case Mixing::Recurrence:
      return isShort ? "RNN" : "recurrence";
    case Mixing::Convolution:
      return isShort ? "conv" : "convolution";
    case Mixing::Attention:
      break;
  }
  return isShort ? "attn" : "attention";
}

int placesPerBlock(const ModelConfig& config) { return sumsPerBlock(config, Stream::Text); }

std::string tapWords(const ModelConfig& config, int tap) {
  const int before = tap - config.tapsAhead();
  if (before == 0) return "itself";
  return before > 0 ? std::to_string(before) + " before" : std::to_string(-before) + " after";
}

std::string sublayerName(const ModelConfig& config, int place, bool isShort) {
  if (place == 0) return "embed";
  switch (sublayerOf(config, place)) {
    case Sublayer::Mixing:
      return mixingName(config.mixing, isShort);
    case Sublayer::Across:
      return "cross";
    case Sublayer::Both:
      return isShort ? "both" : mixingName(config.mixing, true) + " + MLP";
    case Sublayer::Mlp:
      break;
  }
  return "MLP";
}

std::string depthWords(const ModelConfig& config) {
  const bool isUneven = config.encoderBlocks() != config.layers;
  return (isUneven ? std::to_string(config.encoderBlocks()) + " + " : "") + std::to_string(config.layers);
}

std::string blocksWords(const ModelConfig& config) {
  return depthWords(config) + " blocks of " +
         (config.hasAttention() ? std::to_string(config.heads) + " heads" : mixingName(config.mixing, false));
}

std::string placeWords(const ModelConfig& config, int place) {
  if (place == 0) return "the embedding";
  const std::string name = sublayerName(config, place, false);
  return "block " + std::to_string(blockOfPlace(config, place)) + "'s " +
         (name == "cross" ? "cross-attention" : name);
}

std::string placeLabel(const ModelConfig& config, int place) {
  const std::string name = sublayerName(config, place, true);
  return place == 0 ? name : std::to_string(blockOfPlace(config, place)) + " " + name;
}

}  // namespace glassformer
