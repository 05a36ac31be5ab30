#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/engine/snapshot.h"
#include "app/scene/target.h"

namespace glassformer {

/// How one number came about, with its operands filled in, as far as the trace holds them all.
struct Explanation {
  std::vector<std::string> lines;  ///< "exp(2.130) / Σ over 12 keys", "= 8.415 / 34.21 = 0.246"
  std::optional<float> result;  ///< what the operands give; empty where the model's weights are missing to it
  bool overridden = false;      ///< the trace holds something else: an intervention acted here
};

/// The sum, product or function behind the target's cell; nothing for numbers that are read off a weight
/// matrix, and where the trace has no such cell.
std::optional<Explanation> explain(const Snapshot& snapshot, const Target& target);

}  // namespace glassformer
