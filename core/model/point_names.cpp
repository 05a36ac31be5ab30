#include "core/model/point_names.h"

namespace glassformer {
namespace {

const char* stackName(const ModelConfig& config, Stream stream) {
  if (!config.isEncoderDecoder()) return "";
  return stream == Stream::Source ? "encoder." : "decoder.";
}

}  // namespace

std::vector<AttentionSite> sitesOf(const ModelConfig& config) {
  if (!config.hasAttention()) return {};
  if (!config.isEncoderDecoder()) return {AttentionSite::Self};
  return {AttentionSite::Decoder, AttentionSite::Encoder, AttentionSite::Cross};
}

int blocksOf(const ModelConfig& config, Stream stream) {
  return stream == Stream::Source ? config.encoderBlocks() : config.layers;
}

int blocksAt(const ModelConfig& config, AttentionSite site) { return blocksOf(config, queriesOf(site)); }

AttentionSite PointPlace::site() const {
  if (part.starts_with("cross_attn.") || part == "hook_cross_attn_out") return AttentionSite::Cross;
  if (stack == "decoder") return AttentionSite::Decoder;
  return inEncoder() ? AttentionSite::Encoder : AttentionSite::Self;
}

PointPlace placeOfPoint(const std::string& name) {
  PointPlace place{.part = name};
  for (const std::string stack : {"blocks", "encoder", "decoder"}) {
    if (!name.starts_with(stack + ".")) continue;
    place.stack = stack;
    std::size_t length = stack.size() + 1;
    const std::size_t digits = name.find_first_not_of("0123456789", length);
    if (digits != length && digits < name.size() && name[digits] == '.' && digits - length < 6) {
      place.layer = std::stoi(name.substr(length, digits - length));
      length = digits + 1;
    }
    place.scope = name.substr(0, length), place.part = name.substr(length);
  }
  return place;
}

std::string blockPoint(const ModelConfig& config, int layer, std::string_view point, Stream stream) {
  const std::string blocks = config.isEncoderDecoder() ? stackName(config, stream) : "blocks.";
  return blocks + std::to_string(layer) + "." + std::string(point);
}

std::string stackPoint(const ModelConfig& config, std::string_view point, Stream stream) {
  return stackName(config, stream) + std::string(point);
}

namespace {

std::string blockOf(int layer, AttentionSite site) {
  const char* stack = site == AttentionSite::Self      ? "blocks."
                      : site == AttentionSite::Encoder ? "encoder."
                                                       : "decoder.";
  return stack + std::to_string(layer) + ".";
}

}  // namespace

std::string attentionPoint(int layer, AttentionSite site, std::string_view point) {
  const char* attention = site == AttentionSite::Cross ? "cross_attn." : "attn.";
  return blockOf(layer, site) + attention + std::string(point);
}

const char* mixedOut(Mixing mixing) {
  switch (mixing) {
    case Mixing::Recurrence:
      return "hook_recurrence_out";
    case Mixing::Convolution:
      return "hook_convolution_out";
    case Mixing::Attention:
      break;
  }
  return "hook_attn_out";
}

std::string scalePoint(const std::string& normalized) {
  constexpr std::string_view ending = ".hook_normalized";
  if (normalized.ends_with(ending))
    return normalized.substr(0, normalized.size() - ending.size()) + ".hook_scale";
  const PointPlace place = placeOfPoint(normalized);
  const bool isCross = place.part == "hook_cross_attn_out", isMlp = place.part == "hook_mlp_out";
  const int sublayer = isCross ? 2 : !isMlp ? 1 : place.stack == "decoder" ? 3 : 2;
  return place.scope + "ln" + std::to_string(sublayer) + "_post.hook_scale";
}

std::string attentionOutPoint(int layer, AttentionSite site) {
  return blockOf(layer, site) +
         (site == AttentionSite::Cross ? "hook_cross_attn_out" : mixedOut(Mixing::Attention));
}

std::string attentionWeights(int layer, AttentionSite site) {
  const std::string block = (site == AttentionSite::Encoder ? "encoder.h." : "h.") + std::to_string(layer);
  return block + (site == AttentionSite::Cross ? ".crossattention." : ".attn.");
}

}  // namespace glassformer
