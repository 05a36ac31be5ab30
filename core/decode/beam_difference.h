#pragma once
#include <vector>

#include "core/decode/beam_search.h"
#include "core/trace/tensor_set.h"

namespace glassformer {

/// Two searches as one tree, a's nodes first. Hypotheses are the same where they add the same tokens to their
/// texts, for the same group of the beam.
struct BeamUnion {
  BeamTree tree;  ///< numbers as in a, or in b where only that has the node; kept where either kept it
  std::vector<int> a, b;  ///< per node, that of the search; -1 where it has none
  int bestOfB = -1;       ///< tree.best is that of a

  bool inBoth(int node) const {
    return a[static_cast<std::size_t>(node)] >= 0 && b[static_cast<std::size_t>(node)] >= 0;
  }
};
BeamUnion uniteBeams(const BeamTree& a, const BeamTree& b);

/// Adds, one number per node of the united tree: beam.here.probability, beam.here.score of a and
/// beam.there.probability, beam.there.score of b, NaN where that search has no such node, and
/// beam.difference.score, a − b, NaN where not both have it.
void measureBeamDifference(const BeamUnion& both, const BeamTree& a, const BeamTree& b,
                           TensorSet& measurements);

}  // namespace glassformer
