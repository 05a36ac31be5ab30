#pragma once
#include <span>

#include "app/drawing/parts.h"
#include "core/decode/beam_search.h"

namespace glassformer {

/// What a node of the tree is told by, below its token: probability, ln P, and the score where that is
/// another number; of a pruned one, how much its rank value lacked to stay.
struct NodeNumber {
  TensorRef value;
  std::string name;   ///< "ln P "; left out where there is no room
  std::string words;  ///< the digits
};
std::vector<NodeNumber> numbersOfNode(const Scene& scene, const BeamTree& tree, int node,
                                      bool withProbability);

/// These in lines of this size, from the top of the box down, more than one in a line where room is short.
/// Where not all have room, the first one is left out.
void addNodeNumbers(Scene& scene, const SceneInput& input, std::span<const NodeNumber> numbers,
                    const Box& box, const TextStyle& style);

/// "score = ln P / nᵅ" with the numbers that are set; in short without the penalties of the ranking.
std::string formulaOfScore(const BeamTree& tree, const Decoding& decoding, bool isShort = false);

}  // namespace glassformer
