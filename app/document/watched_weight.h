#pragma once
#include <string>
#include <vector>

#include "app/document/workspace.h"
#include "core/model/config.h"

namespace glassformer {

/// The matrices of the selected block, and those outside of all blocks, in the order in which a token meets
/// them.
struct WeightName {
  std::string label;   ///< "Q K V"
  std::string weight;  ///< "h.2.attn.c_attn.weight"
};
std::vector<WeightName> weightsToWatch(const Workspace& workspace, const ModelConfig& config);
/// Which of them is watched: the chosen one in the selected block, else the first.
std::string watchedWeight(const Workspace& workspace, const ModelConfig& config);

}  // namespace glassformer
