#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/model/config.h"

namespace glassformer {

/// Which attention: that of a model of one stack; of an encoder-decoder the decoder's to its own text, the
/// encoder's to the source, or the decoder's to the source.
enum class AttentionSite { Self, Decoder, Encoder, Cross };

/// The attention of a model's text to itself.
inline AttentionSite ownSite(const ModelConfig& config) {
  return config.isEncoderDecoder() ? AttentionSite::Decoder : AttentionSite::Self;
}

/// All that a model has, the text's own first; none where nothing attends.
std::vector<AttentionSite> sitesOf(const ModelConfig& config);

/// How many blocks the stack that reads a stream has, and the one with such attentions.
int blocksOf(const ModelConfig& config, Stream stream);
int blocksAt(const ModelConfig& config, AttentionSite site);

/// Where a trace point is, read off its name.
struct PointPlace {
  std::string stack;  ///< "blocks", "encoder", "decoder"; empty where the model has one and it is outside
  int layer = -1;     ///< -1: before the first or after the last block
  std::string scope;  ///< what the names of one block have in common: "decoder.3."
  std::string part;   ///< what is left: "attn.hook_q"

  bool inBlock() const { return layer >= 0; }
  bool inEncoder() const { return stack == "encoder"; }
  /// Of the attention it belongs to, else of its stack.
  AttentionSite site() const;
};
PointPlace placeOfPoint(const std::string& name);

/// "blocks.3.hook_resid_pre"; in an encoder-decoder "decoder.3. ..." or "encoder.3. ...".
std::string blockPoint(const ModelConfig& config, int layer, std::string_view point,
                       Stream stream = Stream::Text);
/// "hook_embed", "ln_final.hook_scale"; in an encoder-decoder "decoder. ..." or "encoder. ...".
std::string stackPoint(const ModelConfig& config, std::string_view point, Stream stream = Stream::Text);
/// "blocks.3.attn.hook_pattern", "decoder.3.cross_attn.hook_pattern".
std::string attentionPoint(int layer, AttentionSite site, std::string_view point);
/// The queries ("q") or keys ("k") of an attention turned by their positions, or normalized, or as they were
/// projected.
std::string turnedPoint(const auto& tensors, int layer, AttentionSite site, const std::string& which) {
  for (const std::string& point : {"hook_rot_" + which, which + "_norm.hook_normalized"})
    if (std::string name = attentionPoint(layer, site, point); tensors.contains(name)) return name;
  return attentionPoint(layer, site, "hook_" + which);
}
/// The same as they are compared: in linear attention their features.
std::string comparedPoint(const auto& tensors, int layer, AttentionSite site, const std::string& which) {
  const std::string name = attentionPoint(layer, site, "hook_" + which + "_features");
  return tensors.contains(name) ? name : turnedPoint(tensors, layer, site, which);
}
/// The same before positions turn them.
std::string unturnedPoint(const auto& tensors, int layer, AttentionSite site, const std::string& which) {
  const std::string name = attentionPoint(layer, site, which + "_norm.hook_normalized");
  return tensors.contains(name) ? name : attentionPoint(layer, site, "hook_" + which);
}
/// What a block adds to the text's stream where its tokens exchange information: "hook_attn_out",
/// "hook_recurrence_out", "hook_convolution_out".
const char* mixedOut(Mixing mixing);
/// Where the scale [T, 1] of a norm is, by the point of what the norm makes: "blocks.0.ln1.hook_scale" of
/// "blocks.0.ln1.hook_normalized"; of a norm behind a sublayer, which makes "blocks.0.hook_attn_out",
/// "blocks.0.ln1_post.hook_scale".
std::string scalePoint(const std::string& normalized);
/// What attention adds to the stream: "blocks.3.hook_attn_out", "decoder.3.hook_cross_attn_out".
std::string attentionOutPoint(int layer, AttentionSite site);
/// Where its weights are: "h.3.attn.", "h.3.crossattention.", "encoder.h.3.attn.".
std::string attentionWeights(int layer, AttentionSite site);

/// Whose tokens ask and whose are looked at.
inline Stream queriesOf(AttentionSite site) {
  return site == AttentionSite::Encoder ? Stream::Source : Stream::Text;
}
inline Stream keysOf(AttentionSite site) {
  return site == AttentionSite::Encoder || site == AttentionSite::Cross ? Stream::Source : Stream::Text;
}

}  // namespace glassformer
