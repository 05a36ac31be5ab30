#include "core/io/derived_config.h"

#include <algorithm>
#include <limits>

#include "core/io/extents_text.h"
#include "core/model/head.h"
#include "core/model/point_names.h"
#include "core/model/positional/none.h"
#include "core/model/positional/rotary.h"

namespace glassformer {
namespace {

constexpr int mostLayers = 4096, mostSize = 1 << 24, mostVocabulary = 1 << 22;
constexpr std::int64_t mostNumbers = std::int64_t{1} << 28;  // of one token's pass

bool isPoint(const std::string& name) { return name == "logits" || name.find("hook_") != std::string::npos; }

// Blocks of a stack: one more than the largest number in a name.
int layersOf(const StoredTensors& dump, const char* stack) {
  int layers = 0;
  for (const StoredTensor& tensor : dump.tensors())
    if (const PointPlace place = placeOfPoint(tensor.name);
        place.inBlock() && place.stack == stack && isPoint(tensor.name))
      layers = std::max(layers, place.layer + 1);
  return layers;
}

bool has(const StoredTensors& dump, const char* part) {
  return std::ranges::any_of(dump.tensors(), [&](const StoredTensor& tensor) {
    return placeOfPoint(tensor.name).part.ends_with(part);
  });
}

// Whether some token of a text attends to a later one, of the first attention there is.
bool looksAhead(const StoredTensors& dump, int T) {
  for (const char* point : {"attn.hook_pattern", "attn.hook_attn_scores"})
    for (const StoredTensor& tensor : dump.tensors()) {
      const PointPlace place = placeOfPoint(tensor.name);
      if (place.part != point || place.inEncoder() || !tensor.isFloat()) continue;
      const auto t = static_cast<std::size_t>(T);
      if (tensor.valueCount() < std::int64_t{T} * T) return false;  // refused elsewhere
      const auto values = tensor.converted();
      if (!values) return false;  // likewise
      const float least = place.part.ends_with("pattern") ? 0 : maskedScore;
      for (std::size_t i = 0; i < t; ++i)
        for (std::size_t j = i + 1; j < t; ++j)
          if ((*values)[i * t + j] > least) return true;
      return false;
    }
  return false;
}

}  // namespace

Status checkSizes(const ModelConfig& config, const std::string& file) {
  const std::int64_t heads = std::int64_t{config.heads} * config.headWidth(),
                     blocks = std::int64_t{config.layers} +
                              (config.isEncoderDecoder() ? config.encoderBlocks() : 0),
                     each =
                         16 * std::int64_t{config.width} + 4 * std::int64_t{config.feedForward} + 8 * heads;
  if (blocks > mostLayers || blocks * each > mostNumbers || config.vocabulary > mostVocabulary)
    return Error{"is of " + std::to_string(blocks) + " blocks of width " + std::to_string(config.width) +
                     ", MLP width " + std::to_string(config.feedForward) + ", vocabulary " +
                     std::to_string(config.vocabulary),
                 file, "no model is that large"};
  return success();
}

Error noTracePoints(const std::string& file) {
  return {"has no tensor of a trace point's name", file,
          "such as blocks.0.attn.hook_pattern; glassformer trace writes a file with all of them"};
}

bool hasTracePoints(const StoredTensors& dump) {
  return std::ranges::any_of(dump.tensors(), [](const StoredTensor& tensor) { return isPoint(tensor.name); });
}

int sizeOfPoint(const StoredTensors& dump, std::initializer_list<const char*> parts, int fromEnd) {
  for (const char* part : parts)
    for (const StoredTensor& tensor : dump.tensors()) {
      const auto rank = static_cast<int>(tensor.shape.size());
      if (rank < fromEnd || !placeOfPoint(tensor.name).part.ends_with(part)) continue;
      return static_cast<int>(
          std::clamp<std::int64_t>(tensor.shape[static_cast<std::size_t>(rank - fromEnd)], 0, mostSize));
    }
  return 0;
}

Result<ModelConfig> derivedConfig(const StoredTensors& dump, const std::string& file, int tokens,
                                  int source) {
  if (!hasTracePoints(dump)) return noTracePoints(file);
  const auto size = [&](std::initializer_list<const char*> parts, int fromEnd) {
    return sizeOfPoint(dump, parts, fromEnd);
  };
  ModelConfig config;
  config.positions = &noPositions();
  const int encoder = layersOf(dump, "encoder"), decoder = layersOf(dump, "decoder");
  if (encoder > 0 || decoder > 0) config.stack = Stack::EncoderDecoder, config.encoderLayers = encoder;
  config.layers = std::max(1, std::max(layersOf(dump, "blocks"), decoder));
  config.heads = std::max(1, size({"hook_pattern", "hook_attn_scores"}, 3) > 0
                                 ? size({"hook_pattern", "hook_attn_scores"}, 3)
                                 : size({"hook_q", "hook_rot_q", "hook_z"}, 2));
  config.headSize = std::max(1, size({"hook_q", "hook_k", "hook_z", "hook_v", "hook_rot_q"}, 1));
  if (const int heads = size({"hook_k", "hook_v", "hook_rot_k"}, 2); heads > 0 && heads != config.heads)
    config.keyValueHeads = heads;
  const int width = size({"hook_resid_pre", "hook_resid_post", "hook_resid_mid", "hook_embed",
                          "hook_attn_out", "hook_mlp_out", "ln1.hook_normalized", "ln_final.hook_normalized"},
                         1);
  config.width =
      width > 0
          ? width
          : static_cast<int>(std::min<std::int64_t>(mostSize, std::int64_t{config.heads} * config.headSize));
  config.feedForward = std::max(1, size({"mlp.hook_post", "mlp.hook_pre", "mlp.hook_pre_linear"}, 1));
  config.vocabulary = std::max(1, size({"logits"}, 1));
  config.context = std::max({1, tokens, source});
  // Of blocks that keep no stream between their sublayers it is as good as if both added at once.
  config.parallel =
      has(dump, "hook_resid_post") && !has(dump, "hook_resid_mid") && !config.isEncoderDecoder();
  config.activation = has(dump, "mlp.hook_pre_linear") ? Activation::SwiGlu : Activation::GeluTanh;
  config.normedQueries = has(dump, "q_norm.hook_normalized");
  config.normedEmbedding = has(dump, "embed.ln.hook_normalized");
  if (has(dump, "ln1_post.hook_scale") && !config.parallel) config.normPlacement = NormPlacement::Sandwich;
  if (has(dump, "hook_pos_embed")) config.positions = &learnedPositions();
  if (has(dump, "hook_rot_q") && config.headSize % 2 == 0) config.positions = &rotaryHalvesPositions();
  if (has(dump, "hook_token_type_embed")) config.tokenTypes = 2;
  config.headTransform = has(dump, "mlm_head.hook_pre");
  config.classes = std::clamp(size({classLogits}, 1), 0, config.vocabulary);
  if (has(dump, "class_head.hook_pooled")) config.pooling = Pooling::Mean;
  if (looksAhead(dump, tokens)) {
    config.mask = {MaskKind::None, 0, {}};
    if (!config.isEncoderDecoder()) config.stack = Stack::EncoderOnly;
  }
  if (Status sizes = checkSizes(config, file); !sizes) return sizes.error();
  if (Status valid = validate(config); !valid)
    return Error{"its points contradict each other: " + valid.error().what, file, ""};
  return config;
}

}  // namespace glassformer
