#pragma once
#include <string>
#include <vector>

#include "core/model/parameters.h"

namespace glassformer {

/// The parts of a model whose gradients and updates are looked at together, in the order in which a token
/// passes them: "embedding", "block 0", "block 1", ..., "unembedding" (the last norm, and the matrix where it
/// is not tied). An encoder-decoder has "encoder 0", ... and "decoder 0", ... instead of blocks.
struct ParameterGroups {
  std::vector<std::string> names;
  std::vector<int> of;  ///< of each parameter: which of them

  int count() const { return static_cast<int>(names.size()); }
};
ParameterGroups parameterGroups(const Parameters& parameters);

}  // namespace glassformer
