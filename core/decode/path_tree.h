#pragma once
#include <functional>
#include <span>
#include <vector>

#include "core/decode/next_token.h"

namespace glassformer {

/// Several texts that begin alike as one tree: where they part, it branches.
struct PathTree {
  struct Node {
    int parent = -1;  ///< index into nodes; -1 only for the root, which is all that the texts have in common
    int token = -1;   ///< of the root: none
    int depth = 0;    ///< tokens behind the root
    double logProbability = 0;  ///< of this token after all before it
    double cumulative = 0;      ///< from the root on
  };
  std::vector<Node> nodes;  ///< parents before their children; what belongs together stands together
  std::vector<int> root;    ///< the tokens that all texts begin with
  std::vector<int> ends;    ///< the node at which each text ends; -1: it begins otherwise

  bool isLeft(std::size_t path) const { return ends[path] < 0; }
  /// Tokens from the root to a node.
  std::vector<int> path(int node) const;
};

/// The first text decides: those that do not share its first token, of which there is one, are left out.
PathTree pathTree(std::span<const std::vector<int>> texts);
/// Asks the model once for each place at which a text goes on, and fills in how probable that is.
/// `goesOn` is asked before each call; false: not all was asked for.
bool weigh(PathTree& tree, const NextTokenLogits& logits, const std::function<bool()>& goesOn);

}  // namespace glassformer
