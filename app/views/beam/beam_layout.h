#pragma once
#include <functional>
#include <vector>

#include "app/scene/geometry.h"
#include "core/decode/beam_search.h"

namespace glassformer {

/// Where the nodes of a beam tree go: one column per depth, children beside their parent. Siblings stand
/// together, in the order of their parents, so links never cross.
struct BeamLayout {
  struct Place {
    int node = 0;
    Box box;
  };
  std::vector<Place> places;  ///< parents before children; the root first
  Point size;                 ///< what the tree needs; may exceed the given size
  std::vector<int> placeOf;   ///< index into places per node, -1 for those left out
};

struct BeamLayoutOptions {
  Point size;                       ///< to fill
  int prunedShown = 2;              ///< pruned children per parent; greedy's is always among them
  std::function<bool(int)> hidden;  ///< nodes left out with all that follows them; empty: none
  std::function<bool(int)> folded;  ///< nodes whose children are left out; empty: none
  float keptHeight = 36, prunedHeight = 18, siblingGap = 4, familyGap = 10;
  float leastColumn = 80, mostColumn = 168, leastLink = 24, mostLink = 40;
};
BeamLayout layOutBeam(const BeamTree& tree, const BeamLayoutOptions& options);

/// Heights within [0, extent] as near as possible to those wanted (least squares) that keep their order and
/// the given distances to the one before; where all do not fit, from 0 on.
std::vector<float> spread(const std::vector<float>& wanted, const std::vector<float>& distance, float extent);

}  // namespace glassformer
