#include "app/views/model_map/parallel_blocks.h"

#include <algorithm>
#include <optional>

#include "app/document/steps.h"
#include "app/scene/format.h"
#include "core/model/choices.h"

namespace glassformer {
namespace {

using Row = BlockRow;

bool isConvNext(const NamedBlock& block) { return std::string_view(block.id) == "convnext"; }
bool isResNet(const NamedBlock& block) { return std::string_view(block.id) == "resnet"; }
bool isTransformer(const NamedBlock& block) { return std::string_view(block.id) == "transformer"; }

// The trace points that say where a step stands; what else attention records mixes tokens.
struct PointRow {
  const char* part;
  Row row;
};
constexpr PointRow pointRows[] = {
    {"attn.hook_q", Row::In},
    {"attn.hook_k", Row::In},
    {"attn.q_norm.hook_normalized", Row::In},
    {"attn.k_norm.hook_normalized", Row::In},
    {"attn.hook_rot_q", Row::In},
    {"attn.hook_rot_k", Row::In},
    {"attn.hook_q_features", Row::In},
    {"attn.hook_k_features", Row::In},
    {"attn.hook_v", Row::In},
    {"attn.hook_out", Row::Out},
    {"hook_attn_out", Row::Out},
    {"convolution.hook_reduced_pre", Row::In},
    {"convolution.hook_reduced", Row::RampIn},
    {"convolution.hook_mixed", Row::RampMixed},
    {"mlp.hook_pre", Row::Up},
    {"mlp.hook_pre_linear", Row::Up},
    {"mlp.hook_post", Row::Ramp},
    {"mlp.hook_out", Row::Down},
    {"hook_mlp_out", Row::Down},
};

bool isNorm(Row row) {
  return row == Row::NormFirst || row == Row::NormOut || row == Row::NormBetween || row == Row::NormDown ||
         row == Row::NormLast;
}

// Norms are told by what stands behind them; see placeNorms.
Row rowOf(const Step& step, const ModelConfig& config) {
  const std::string part = placeOfPoint(step.tensor).part;
  if (step.part == StepPart::Norm) return Row::NormFirst;
  if (step.part == StepPart::Add)
    return part == "hook_resid_post" && config.hasFeedForward() ? Row::SkipMlp : Row::Skip;
  if (part == "hook_convolution_out" || part == "convolution.hook_out")
    return config.filters == Filters::Bottleneck ? Row::Out : Row::Mix;
  const auto* found = std::ranges::find(pointRows, part, &PointRow::part);
  return found == std::end(pointRows) ? Row::Mix : found->row;
}

// A norm stands right before what reads it, or behind the last sum.
void placeNorms(std::vector<BlockPart>& parts) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!isNorm(parts[i].row)) continue;
    if (i + 1 == parts.size()) {
      parts[i].row = i > 0 && parts[i - 1].row == Row::Skip ? Row::NormBetween : Row::NormLast;
      continue;
    }
    const Row next = parts[i + 1].row;
    parts[i].row = next == Row::Skip      ? Row::NormOut
                   : next == Row::Up      ? Row::NormBetween
                   : next == Row::SkipMlp ? Row::NormDown
                                          : Row::NormFirst;
  }
}

class PartWords {
 public:
  explicit PartWords(const ParallelBlock& block)
      : block_(block), config_(block.config), specs_(parameterSpecs(block.config)) {}

  std::string name(Row row) const {
    switch (row) {
      case Row::In:
        return isTransformer() ? projections() : "1 × 1";
      case Row::RampIn:
      case Row::RampMixed:
        return "ReLU";
      case Row::Mix:
        return isTransformer() ? "attention" : taps();
      case Row::Out:
        return !isTransformer() ? "1 × 1" : config_.headsOutputFullWidth() ? "sum of heads" : "W_O";
      case Row::Up:
        return isTransformer() ? (config_.hasGatedMlp() ? "W_gate, W_in" : "W_in") : "1 × 1";
      case Row::Ramp:
        return ramp();
      case Row::Down:
        return isTransformer() ? "W_out" : "1 × 1";
      case Row::Skip:
      case Row::SkipMlp:
        return config_.residual ? "add" : "replace";
      default:
        return config_.norm == NormKind::Rms ? "RMS norm" : "layer norm";
    }
  }

  // Vaswani et al. 2017 normalize behind every sum, and their MLP's ramp is ReLU's.
  std::string source() const {
    const bool isOf2017 = config_.residual && !config_.parallel && config_.hasNorms() &&
                          config_.normPlacement == NormPlacement::Post &&
                          config_.activation == Activation::Relu;
    if (!isTransformer() || isOf2017) return block_.kind->source;
    const std::string norms = !config_.hasNorms()                                ? "no norms"
                              : config_.normPlacement == NormPlacement::Post     ? "post-norm"
                              : config_.normPlacement == NormPlacement::Sandwich ? "norms on both sides"
                                                                                 : "pre-norm";
    return norms + ", " + (config_.hasFeedForward() ? ramp() : "no MLP");
  }

  std::string size(Row row) const {
    switch (row) {
      case Row::In:
        return isTransformer() ? sizeOf("attn.c_attn.weight") : sizeOf("convolution.c_reduce.weight");
      case Row::Mix:
        if (isTransformer()) return std::to_string(config_.heads) + (config_.heads == 1 ? " head" : " heads");
        return isConvNext(*block_.kind) ? std::to_string(config_.width) + " filters"
                                        : sizeOf("convolution.c_taps.weight");
      case Row::Out:
        return isTransformer() ? sizeOf("attn.c_proj.weight") : sizeOf("convolution.c_proj.weight");
      case Row::Up:
        return sizeOf("mlp.c_fc.weight");
      case Row::Down:
        return sizeOf("mlp.c_proj.weight");
      default:
        return "";
    }
  }

 private:
  bool isTransformer() const { return glassformer::isTransformer(*block_.kind); }
  std::string projections() const {
    const AttentionColumns columns = selfAttentionColumns(config_);
    const std::string asked = columns.key > 0     ? "W_Q, W_K"
                              : columns.query > 0 ? "U"
                                                  : "",
                      values = config_.readout == Readout::Rows        ? ""
                               : config_.readout == Readout::OneMatrix ? "W_V W_O"
                                                                       : "W_V";
    if (asked.empty() || values.empty()) return asked.empty() && values.empty() ? "none" : asked + values;
    return asked + ", " + values;
  }
  std::string taps() const {
    return (isConvNext(*block_.kind) ? "depthwise, " : "") + std::to_string(config_.kernelWidth) +
           (config_.kernelWidth == 1 ? " tap" : " taps");
  }
  // "GELU", of which there are two.
  std::string ramp() const {
    const ConfigChoice& choice =
        *std::ranges::find(configChoices(), "activation_function", &ConfigChoice::id);
    const std::string& name = choice.options[static_cast<std::size_t>(choice.get(config_))].name;
    return name.substr(0, name.find(" ("));
  }
  // "128 → 384", off the weights themselves; of taps one of them.
  std::string sizeOf(const std::string& weight) const {
    const auto found = std::ranges::find(specs_, "h.0." + weight, &ParameterSpec::name);
    if (found == specs_.end()) return "";
    const int in = found->extent[0];
    const int out =
        weight.ends_with("c_taps.weight") ? found->extent[1] / config_.kernelWidth : found->extent[1];
    return std::to_string(in) + " → " + std::to_string(out);
  }

  const ParallelBlock& block_;
  const ModelConfig& config_;
  std::vector<ParameterSpec> specs_;
};

// A model of one block and next to no vocabulary: what its pass records is written down, and never run.
ModelConfig ofOneBlock(ModelConfig config) {
  config.layers = 1, config.vocabulary = 1, config.context = std::max(2, config.kernelWidth);
  if (config.isEncoderDecoder()) config.stack = Stack::DecoderOnly;
  config.tokenTypes = 0, config.separator = config.decoderStartToken = -1;
  config.fullBlocks.clear();
  return config;
}

ParallelBlock blockOfKind(const NamedBlock& kind, const ModelConfig& model) {
  ParallelBlock block{&kind, "", withBlock(model, kind), {}};
  const Transformer shape(block.config, shapesOf(block.config));
  for (const Step& step : stepsOf(shape)) {
    if (step.layer != 0) continue;
    const Row row = rowOf(step, block.config);
    if (block.parts.empty() || block.parts.back().row != row || row == Row::NormFirst)
      block.parts.push_back({row, "", "", nameOf(step)});
  }
  placeNorms(block.parts);
  const PartWords words(block);
  block.source = words.source();
  for (BlockPart& part : block.parts) part.name = words.name(part.row), part.size = words.size(part.row);
  return block;
}

}  // namespace

std::vector<ParallelBlock> parallelBlocks(const ModelConfig& model) {
  std::vector<ParallelBlock> blocks;
  for (const NamedBlock& kind : namedBlocks()) blocks.push_back(blockOfKind(kind, ofOneBlock(model)));
  return blocks;
}

bool areCounterparts(const NamedBlock& a, BlockRow rowOfA, const NamedBlock& b, BlockRow rowOfB) {
  if (&a == &b) return false;
  const bool areBeforeMlp = rowOfA < Row::Up && rowOfB < Row::Up;
  const bool areThese = (isConvNext(a) && isTransformer(b)) || (isTransformer(a) && isConvNext(b));
  return rowOfA == rowOfB || (areBeforeMlp && areThese);
}

std::string wordsOf(const ParallelBlock& block, const BlockPart& part) {
  const bool inResNet = isResNet(*block.kind), inTransformer = isTransformer(*block.kind);
  switch (part.row) {
    case Row::In:
      return inResNet ? "each token separately, with the same weights, like W_Q, W_K and W_V"
                      : "each token separately, with the same weights, like the first 1 × 1 of a ResNet";
    case Row::RampIn:
      return "attention has no ReLU here: its nonlinearity is the softmax";
    case Row::Mix:
      if (inTransformer)
        return "mixes tokens by their content; the taps of a convolution depend on positions alone";
      return inResNet ? "mix tokens by their positions alone; attention uses their content"
                      : "one filter for each channel, like one pattern for each head\nwith the norm, the "
                        "counterpart of everything before the MLP";
    case Row::RampMixed:
      return "no ReLU between attention and W_O";
    case Row::Out:
      return inResNet ? "back to all channels, as W_O; no MLP follows in a ResNet"
                      : "back to the stream, as the last 1 × 1 of a ResNet";
    case Row::Up:
      return inTransformer ? "the first layer of the MLP: a ConvNeXt's 1 × 1 to more channels"
                           : "to more channels, each token separately, like the first layer of the MLP";
    case Row::Ramp:
      return "the nonlinearity of the MLP";
    case Row::Down:
      return inTransformer ? "the second layer of the MLP: a ConvNeXt's 1 × 1 back"
                           : "back to the stream: the second layer of the MLP";
    case Row::Skip:
      return inTransformer ? "attention has a skip of its own, and so has the MLP"
                           : "one skip around the whole block";
    case Row::SkipMlp:
      return inTransformer ? "the MLP has a skip of its own, and so has attention"
                           : "one skip around the whole block";
    default:
      return inResNet ? "instead of BatchNorm, which needs a batch of texts"
                      : "makes every token's numbers alike in size";
  }
}

}  // namespace glassformer
