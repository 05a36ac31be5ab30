#include "core/model/config.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "core/model/positional/none.h"
#include "core/model/positional/positional_encodings.h"

namespace glassformer {
namespace {

Error refuse(const std::string& what, const char* hint) { return {what, "config", hint}; }

Status divides(int parts, const char* part, int whole, const char* of, const char* hint) {
  if (whole % parts == 0) return success();
  return refuse(std::string(of) + " " + std::to_string(whole) + " is not divisible by " + part + " " +
                    std::to_string(parts),
                hint);
}

Status validatePositions(const ModelConfig& config) {
  const auto number = config.positions->number(config);
  const std::string name(config.positions->description().id);
  if (config.positionParameter != 0) {
    if (!number) return refuse("position_parameter is set, but " + name + " positions have none", "");
    if (!(config.positionParameter >= number->least && config.positionParameter <= number->most))
      return refuse("position_parameter is outside of what " + name + " positions take", "");
  }
  return config.positions->validate(config);
}

// What is beyond it no index could name.
constexpr std::int64_t mostColumns = std::int64_t{1} << 30;

Status validateColumns(const ModelConfig& config) {
  const auto columns = [&](const char* what, std::int64_t count) {
    return count <= mostColumns ? success()
                                : refuse(std::string(what) + " of " + std::to_string(count) +
                                             " columns are more than any weight here can have",
                                         "choose smaller sizes");
  };
  const std::int64_t width = config.width;
  if (config.readout == Readout::OneMatrix)
    if (Status s = columns("values", config.valueHeads() * width); !s) return s;
  if (config.hasConvolution()) return columns("taps", config.kernelWidth * width);
  return success();
}

Status validateHeads(const ModelConfig& config) {
  if (config.keyValueHeads < 0) return refuse("n_head_kv is negative; 0 means as many as n_head", "");
  if (config.headSize < 0) return refuse("head_dim is negative; 0 means n_embd / n_head", "");
  if (!config.hasAttention()) return success();
  if (config.headSize == 0)
    if (Status s = divides(config.heads, "n_head", config.width, "n_embd", "every head needs the same width");
        !s)
      return s;
  if (config.similarity == Similarity::Plain && config.heads * config.headWidth() != config.width)
    return refuse("head_dim times n_head is not n_embd, but with similarity plain the heads share the stream",
                  "leave head_dim at 0");
  return divides(config.valueHeads(), "n_head_kv", config.heads, "n_head",
                 "every key and value head serves the same number of query heads");
}

// Recurrence and convolution run along one text and compare nothing; recurrence from left to right.
Status validateMixing(const ModelConfig& config) {
  if (config.hasAttention()) return success();
  const bool recurs = config.mixing == Mixing::Recurrence;
  const std::string mixing = std::string("mixing is ") + (recurs ? "recurrence" : "convolution");
  if (recurs && config.stack != Stack::DecoderOnly)
    return refuse(mixing + ", which runs along one text from left to right: stack must be decoder_only", "");
  if (config.isEncoderDecoder())
    return refuse(mixing + ", which runs along one text: stack must be decoder_only or encoder_only", "");
  if (recurs && config.mask.kind != MaskKind::Causal)
    return refuse(mixing + ", which needs no mask: mask must be causal", "");
  if (config.mask.kind != MaskKind::Causal && config.mask.kind != MaskKind::None)
    return refuse(mixing + ", whose taps end at the token or stand around it: mask must be causal or none",
                  "");
  if (!config.mask.painted.empty())
    return refuse(mixing + ", which compares no pairs: its mask cannot be edited", "");
  if (!config.positions->isAdded() && config.positions != &noPositions())
    return refuse(mixing +
                      ", which compares no positions: position_embedding_type must be none, or one that " +
                      "is added to the embeddings",
                  "");
  if (recurs) return success();
  if (config.kernelWidth < 1 || config.kernelWidth > config.context)
    return refuse("kernel_width is " + std::to_string(config.kernelWidth) + "; it must be 1 to n_positions",
                  "");
  return success();
}

// With a norm behind the sum, or none to add to, there is nothing that both sublayers could read.
Status validateParallel(const ModelConfig& config) {
  if (!config.parallel) return success();
  const bool before =
      config.normPlacement == NormPlacement::Pre || config.normPlacement == NormPlacement::None;
  if (!before) return refuse("parallel sublayers need norm_placement pre or none", "");
  if (!config.residual) return refuse("parallel sublayers need a residual connection", "");
  if (config.isEncoderDecoder())
    return refuse("a decoder that reads a source cannot have parallel sublayers", "");
  return success();
}

// What the convolution makes is read through one norm, or as it is, and no more of it is kept.
Status validateOneResidual(const ModelConfig& config) {
  if (!config.oneResidual) return success();
  const std::string one = "with one_residual ";
  if (!config.hasConvolution()) return refuse(one + "mixing must be convolution", "");
  if (!config.hasFeedForward()) return refuse(one + "activation_function must not be none", "");
  if (!config.residual) return refuse(one + "residual must be true", "");
  if (config.parallel) return refuse(one + "parallel_residual must be false", "");
  if (config.normPlacement != NormPlacement::Pre && config.normPlacement != NormPlacement::None)
    return refuse(one + "norm_placement must be pre or none", "");
  return success();
}

// A source and its text are told apart by the stacks that read them.
Status validateTypes(const ModelConfig& config) {
  if (config.tokenTypes < 0) return refuse("type_vocab_size is negative; 0 means no types", "");
  if (config.tokenTypes > 0 && config.isEncoderDecoder())
    return refuse("type_vocab_size is set, but a model that reads a source has its texts apart already",
                  "leave it at 0");
  return success();
}

Status validateCaps(const ModelConfig& config) {
  for (const auto& [cap, field] : {std::pair{config.scoreCap, "attn_logit_softcapping"},
                                   std::pair{config.logitCap, "final_logit_softcapping"}})
    if (!(cap >= 0))
      return refuse(std::string(field) + " is not a cap; it must be above 0, or 0 for none", "");
  if (config.scoreCap > 0 && config.kernel == AttentionKernel::Linear)
    return refuse("linear attention has no scores that could be capped", "choose another kernel");
  return success();
}

// Attention by distance whose weights are the same everywhere.
Status validateBorder(const ModelConfig& config) {
  if (!config.zeroPadded || config.kernel != AttentionKernel::Distance) return success();
  const std::string open = "with open_border ";
  if (config.maskTime == MaskTime::AfterSoftmax)
    return refuse(open + "mask_time must be before_softmax", "renormalization has no effect");
  if (config.scoreCap > 0) return refuse(open + "attn_logit_softcapping must be 0", "");
  return success();
}

// Those that texts beside a source begin, end or never go on with.
Status validateTokens(const ModelConfig& config) {
  for (const auto& [token, field] : {std::pair{config.decoderStartToken, "decoder_start_token_id"},
                                     std::pair{config.forcedBosToken, "forced_bos_token_id"},
                                     std::pair{config.forcedEosToken, "forced_eos_token_id"},
                                     std::pair{config.bannedToken, "bad_token_id"}})
    if (token >= config.vocabulary)
      return refuse(std::string(field) + " is " + std::to_string(token) + ", but there are " +
                        std::to_string(config.vocabulary) + " tokens",
                    "-1 means none");
  return success();
}

// Every class is called by a token.
Status validateClasses(const ModelConfig& config) {
  if (config.classes < 0) return refuse("num_labels is negative; 0 means no classifier", "");
  if (config.firstClass < 0) return refuse("first_label_token is negative", "");
  if (config.hasClassHead() && config.classes > config.vocabulary - config.firstClass)
    return refuse(
        "num_labels is " + std::to_string(config.classes) + ", but from first_label_token on there are " +
            std::to_string(std::max(0, config.vocabulary - config.firstClass)) + " tokens to name classes by",
        "");
  return success();
}

// Of two stacks that are not equally deep.
Status validateDepths(const ModelConfig& config) {
  if (config.encoderLayers < 0)
    return refuse("encoder_layers is negative; 0 gives the encoder as many as the decoder", "");
  if (config.isEncoderDecoder() && config.crossMemory == CrossMemory::SameLayer &&
      config.encoderBlocks() != config.layers)
    return refuse(
        "encoder_layers is " + std::to_string(config.encoderLayers) + " and n_layer " +
            std::to_string(config.layers) +
            ", but with cross_memory same_layer each layer of the decoder attends to one of the encoder",
        "leave encoder_layers at 0");
  return success();
}

Status validateLayers(const ModelConfig& config) {
  if (config.scoreWidth < 0)
    return refuse("query_pre_attn_scalar is negative; 0 divides scores by the root of the head width", "");
  if (!(config.localBase == 0 || (config.localBase >= 2 && config.localBase <= 1e7f)))
    return refuse("rope_local_base_freq is outside of 2 to 10000000; 0 is the base of the other blocks", "");
  return success();
}

}  // namespace

float ModelConfig::scoreScale() const {
  const float scale =
      scaledScores ? 1 / std::sqrt(static_cast<float>(scoreWidth > 0 ? scoreWidth : headWidth())) : 1;
  return scoresByLayer ? scale / static_cast<float>(ofBlock + 1) : scale;
}

float ModelConfig::embeddingScale() const {
  return scaledEmbedding ? std::sqrt(static_cast<float>(width)) : 1;
}

float ModelConfig::unembeddingScale() const {
  return scaledUnembedding ? 1 / std::sqrt(static_cast<float>(width)) : 1;
}

AttentionMask ModelConfig::maskOf(int layer) const {
  const bool isFull = mask.kind == MaskKind::Window && !fullBlocks.empty() &&
                      fullBlocks[static_cast<std::size_t>(layer) % fullBlocks.size()];
  return isFull ? AttentionMask{MaskKind::Causal, 0, mask.painted} : mask;
}

ModelConfig ModelConfig::ofLayer(int layer) const {
  ModelConfig own = ofEncoderLayer(layer);
  own.mask = maskOf(layer);
  const bool isLocal = localBase != 0 && own.mask.kind == MaskKind::Window;
  if (isLocal) own.positionParameter = localBase, own.rotaryScaling = {};
  return own;
}

ModelConfig ModelConfig::ofEncoderLayer(int layer) const {
  ModelConfig own = *this;
  if (scoresByLayer) own.ofBlock = layer;
  return own;
}

Status validate(const ModelConfig& config) {
  for (const auto& [value, field] :
       {std::pair{config.layers, "n_layer"}, std::pair{config.heads, "n_head"},
        std::pair{config.width, "n_embd"}, std::pair{config.feedForward, "n_inner"},
        std::pair{config.vocabulary, "vocab_size"}, std::pair{config.context, "n_positions"}})
    if (value < 1)
      return refuse(std::string(field) + " is " + std::to_string(value) + "; it must be at least 1", "");
  if (Status s = validateHeads(config); !s) return s;
  if (!(config.normEpsilon > 0)) return refuse("layer_norm_epsilon must be positive", "");
  if (!(config.dropout >= 0 && config.dropout < 1))
    return refuse("resid_pdrop must be 0 or more and less than 1", "");
  if ((config.mask.kind == MaskKind::Prefix || config.mask.kind == MaskKind::Window) && config.mask.size < 1)
    return refuse("mask_size is " + std::to_string(config.mask.size) + "; it must be at least 1", "");
  if (Status s = validateMixing(config); !s) return s;
  if (Status s = validateParallel(config); !s) return s;
  if (Status s = validateOneResidual(config); !s) return s;
  if (Status s = validateTypes(config); !s) return s;
  if (Status s = validateColumns(config); !s) return s;
  if (Status s = validateTokens(config); !s) return s;
  if (Status s = validateDepths(config); !s) return s;
  if (Status s = validateClasses(config); !s) return s;
  if (Status s = validateCaps(config); !s) return s;
  if (Status s = validateBorder(config); !s) return s;
  if (Status s = validateLayers(config); !s) return s;
  return validatePositions(config);
}

}  // namespace glassformer
