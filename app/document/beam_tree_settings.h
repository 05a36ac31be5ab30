#pragma once
#include <algorithm>
#include <vector>

namespace glassformer {

/// How the probability of a node is shown: written, or as a bar.
enum class BeamScores { Text, Length };

/// Which part of a tree is seen, and how large. `zoom` 1 shows all of it; 0 as much from its beginning as can
/// be read.
struct TreeSection {
  float zoom = 0;
  float x = 0, y = 0.5f;  ///< the middle of what is seen, in fractions of the tree

  /// The same with its middle in the tree.
  TreeSection inside() const {
    return {std::max(zoom, 0.0f), std::clamp(x, 0.0f, 1.0f), std::clamp(y, 0.0f, 1.0f)};
  }
  bool operator==(const TreeSection&) const = default;
};

/// Settings of the beam tree's view.
struct BeamTreeSettings {
  BeamScores scores = BeamScores::Text;
  int leastPercent = 0;                  ///< branches with a less probable token are hidden
  std::vector<std::vector<int>> folded;  ///< nodes without their branches, by their tokens from the text on
  TreeSection section;

  bool operator==(const BeamTreeSettings&) const = default;
};

}  // namespace glassformer
