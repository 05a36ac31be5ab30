#include "core/model/transformer.h"

#include <cassert>
#include <string>

#include "core/model/block.h"
#include "core/model/head.h"
#include "core/model/positional/positional_encoding.h"
#include "core/tensor/operations/elementwise.h"
#include "core/tensor/operations/embedding.h"
#include "core/tensor/operations/linear.h"
#include "core/tensor/operations/soft_cap.h"

namespace glassformer {
namespace {

std::string layerName(const char* prefix, int layer) { return prefix + std::to_string(layer) + "."; }

}  // namespace

Transformer::Transformer(ModelConfig config, Parameters parameters)
    : config_(std::move(config)), parameters_(std::move(parameters)) {
  assert(validate(config_));
  if (auto table = config_.positions->table(config_))
    givenPositions_ = std::make_shared<const Tensor>(*std::move(table));
  Tape tape(1, 1,
            config_.isEncoderDecoder() ? 1 : 0);  // of a single token: the names are the same for any text
  Pass pass(tape, config_, parameters_);
  forward(pass);
  for (const NamedValue& point : pass.points()) points_.push_back(point.name);
}

Transformer::Transformer(ModelConfig config, std::vector<std::string> points)
    : config_(std::move(config)), points_(std::move(points)) {
  assert(validate(config_));
}

std::optional<TensorView> Transformer::positionTable() const {
  if (givenPositions_) return givenPositions_->view();
  if (config_.positions->learnsTable() && hasWeights()) return parameters_["wpe.weight"];
  return std::nullopt;
}

TensorView Transformer::unembedding() const {
  return parameters_[config_.tiedUnembedding ? "wte.weight" : "lm_head.weight"];
}

Value Transformer::forward(Pass& pass) const {
  const auto both = [&](const char* stack, auto body) {
    return config_.isEncoderDecoder() ? pass.within(std::string(stack) + ".", body) : body();
  };
  std::vector<Value> memories;  // what block i of the decoder attends to across; none without a source
  if (config_.isEncoderDecoder()) memories = both("encoder", [&] { return encode(pass); });
  const Value x =
      both("decoder", [&] { return decode(pass, config_.isEncoderDecoder() ? "" : "blocks.", memories); });
  const Value logits = toLogits(pass, x);
  if (config_.hasClassHead()) classHead(pass, config_, x);
  return logits;
}

// x = E[token] + P[t] + S[type], or [E[token]; p[t]], normalized where the config does so.
Value Transformer::embed(Pass& pass, const std::string& weights, Stream stream) const {
  Tape& tape = pass.tape();
  const Value embedded =
      pass.point("hook_embed", embedTokens(tape, pass.weight("wte.weight"), stream, config_.embeddingScale(),
                                           config_.positions->ownColumns(config_)));  // [T, D]
  Value x = embedded;
  if (givenPositions_ || config_.positions->learnsTable()) {
    const Weight positions =
        givenPositions_ ? Weight{givenPositions_->view().data, nullptr, config_.context, config_.width}
                        : pass.weight(weights + "wpe.weight");
    x = add(tape, x, pass.point("hook_pos_embed", embedPositions(tape, positions, stream)));  // [T, D]
  }
  if (config_.tokenTypes > 0) {
    const Weight types = pass.weight(weights + "wtt.weight");
    x = add(
        tape, x,
        pass.point("hook_token_type_embed", embedTypes(tape, types, config_.separator, stream)));  // [T, D]
  }
  if (config_.normsEmbedding())
    x = normalize(pass, config_, weights + "ln_embed", "embed.ln", pass.point("hook_embed_sum", x));
  return pass.drop(x);
}

// The memories of the decoder's blocks, each [S, D].
std::vector<Value> Transformer::encode(Pass& pass) const {
  Value x = embed(pass, "encoder.", Stream::Source);
  std::vector<Value> memories;
  for (int layer = 0; layer < config_.encoderBlocks(); ++layer) {
    const ModelConfig own = config_.ofEncoderLayer(layer);
    x = pass.within(layerName("", layer), [&] {
      return block(pass, own, layerName("encoder.h.", layer), {{MaskKind::None, 0, {}}, nullptr}, x);
    });
    memories.push_back(x);
    // What interventions make of the next block's input is no other block's memory.
    const bool read = config_.crossMemory == CrossMemory::SameLayer && layer + 1 < config_.encoderBlocks();
    if (read) x = copy(pass.tape(), x);
  }
  if (config_.crossMemory == CrossMemory::LastLayer)
    memories.assign(static_cast<std::size_t>(config_.layers), finish(pass, "encoder.", x));
  return memories;
}

Value Transformer::decode(Pass& pass, const std::string& blocks, const std::vector<Value>& memories) const {
  Value x = embed(pass, "", Stream::Text);
  for (int layer = 0; layer < config_.layers; ++layer) {
    const Value* memory = memories.empty() ? nullptr : &memories[static_cast<std::size_t>(layer)];
    const ModelConfig own = config_.ofLayer(layer);
    x = pass.within(layerName(blocks.c_str(), layer), [&] {
      return block(pass, own, layerName("h.", layer), {own.mask, memory}, x);
    });
  }
  return finish(pass, "", x);
}

// Normalizes what the last block leaves, where the config does so.
Value Transformer::finish(Pass& pass, const std::string& weights, const Value& x) const {
  return config_.finalNorm && config_.hasNorms() ? normalize(pass, config_, weights + "ln_f", "ln_final", x)
                                                 : x;
}

// u = x · W_U + b, of x as it is, or as the head's layer makes it.
Value Transformer::toLogits(Pass& pass, const Value& normalized) const {
  Value x = config_.headTransform ? headTransform(pass, config_, normalized) : normalized;
  if (config_.scaledUnembedding) x = pass.point("unembed.hook_in", dividedByRoot(pass.tape(), x));  // [T, D]
  const Weight unembedding = pass.weight(config_.tiedUnembedding ? "wte.weight" : "lm_head.weight");
  Value logits = unembed(pass.tape(), x, unembedding, pass.bias("lm_head.bias"));
  if (config_.logitCap > 0)
    logits = softCap(pass.tape(), pass.point("unembed.hook_out", logits), config_.logitCap);
  return pass.point("logits", logits);  // [T, V]
}

Transformer modelOfShapes(const ModelConfig& config) {
  ModelConfig written = config;
  written.context = std::min(config.context, std::max(16, config.kernelWidth));
  return {written, shapesOf(written)};
}

}  // namespace glassformer
