#pragma once
#include <array>
#include <span>
#include <string_view>

#include "core/model/config.h"

namespace glassformer {

/// A kind of block that has a name of its own, as choices of the config; what these leave open (sizes, norms,
/// positions, taps) stays the model's.
struct NamedBlock {
  const char *id, *name;  ///< "resnet", "ResNet"
  const char* source;     ///< "He et al. 2015"
  const char* meaning;    ///< one line
  void (*choose)(ModelConfig&);
};
/// ResNet's bottleneck, ConvNeXt's block and the transformer's: in the order in which they came about.
std::span<const NamedBlock> namedBlocks();
const NamedBlock* findNamedBlock(std::string_view id);  ///< null: there is none

/// The config with such blocks. A convolution takes no positions but those that are added, and of masks none
/// or the causal one; what else it cannot be validate() says.
ModelConfig withBlock(ModelConfig config, const NamedBlock& block);
/// The kind that a config's blocks are; null: none of these.
const NamedBlock* namedBlockOf(const ModelConfig& config);

/// The choices of the config that a kind of block may decide.
inline constexpr std::array blockChoices{"mixing",
                                         "filters",
                                         "one_residual",
                                         "activation_function",
                                         "residual",
                                         "parallel_residual",
                                         "norm_placement",
                                         "mask",
                                         "position_embedding_type"};
/// What setField() knows the choice of all of that as, "block=resnet".
inline constexpr const char* blockField = "block";

}  // namespace glassformer
