#include "core/model/named_blocks.h"

#include <algorithm>

#include "core/model/positional/none.h"
#include "core/model/positional/positional_encoding.h"

namespace glassformer {
namespace {

void convolve(ModelConfig& config, Filters filters) {
  config.mixing = Mixing::Convolution, config.filters = filters;
  config.residual = true, config.parallel = false;
  config.mask = {config.mask.kind == MaskKind::None ? MaskKind::None : MaskKind::Causal, 0, {}};
  if (!config.positions->isAdded() && config.positions != &noPositions()) {
    config.positions = &noPositions();
    config.positionParameter = 0;
  }
}

// y = x + relu(taps(relu(n · W_↓))) · W_↑, n = LN(x)
void makeResNet(ModelConfig& config) {
  convolve(config, Filters::Bottleneck);
  config.oneResidual = false, config.activation = Activation::None;
}

// y = x + gelu(LN(depthwise(x)) · W_in) · W_out
void makeConvNext(ModelConfig& config) {
  convolve(config, Filters::Depthwise);
  config.oneResidual = true;
  if (config.hasNorms()) config.normPlacement = NormPlacement::Pre;
  const bool isGelu = config.activation == Activation::Gelu || config.activation == Activation::GeluTanh;
  if (!isGelu) config.activation = Activation::Gelu;
}

void makeTransformer(ModelConfig& config) {
  if (config.hasAttention()) return;
  config.mixing = Mixing::Attention, config.filters = Filters::Full, config.oneResidual = false;
  if (!config.hasFeedForward()) config.activation = Activation::Gelu;
}

}  // namespace

std::span<const NamedBlock> namedBlocks() {
  static constexpr NamedBlock all[] = {
      {"resnet", "ResNet", "He et al. 2015", "few channels, taps, all channels again", makeResNet},
      {"convnext", "ConvNeXt", "Liu et al. 2022", "one filter per channel, then the MLP", makeConvNext},
      {"transformer", "Transformer", "Vaswani et al. 2017", "attention, then the MLP", makeTransformer}};
  return all;
}

const NamedBlock* findNamedBlock(std::string_view id) {
  const auto found = std::ranges::find(namedBlocks(), id, &NamedBlock::id);
  return found == namedBlocks().end() ? nullptr : &*found;
}

ModelConfig withBlock(ModelConfig config, const NamedBlock& block) {
  block.choose(config);
  return config;
}

const NamedBlock* namedBlockOf(const ModelConfig& config) {
  for (const NamedBlock& block : namedBlocks())
    if (withBlock(config, block) == config) return &block;
  return nullptr;
}

}  // namespace glassformer
