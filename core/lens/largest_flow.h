#pragma once
#include <span>
#include <vector>

namespace glassformer {

/// A graph of nodes and ways, each with room for so much, and the largest flow from a node to others: by
/// shortest ways that have room, all those of one length at once (Dinic 1970), also back over what flows
/// already.
class FlowGraph {
 public:
  /// `from` and `to` of every way are below `nodes`.
  struct Way {
    int from = 0, to = 0;
    double room = 0;  ///< from `least` on
  };
  FlowGraph(int nodes, std::span<const Way> ways);

  /// From a node to several others, taken together.
  double largest(int from, std::span<const int> ends);
  /// Of the last largest flow, which left `from`, the ways of a smallest cut, by their places among those
  /// given: all room that leads from where more could come to where it could not, and its sum is the flow
  /// (Ford & Fulkerson 1956).
  std::vector<int> cut(int from);

  static constexpr double least = 1e-7;  ///< less is no room

 private:
  struct Half {            // a way as one of its nodes sees it
    int to = 0, back = 0;  // the same way as the other node sees it
    double room = 0;
  };
  bool measureDistances(int from, bool ofAll);
  double roomTo(std::span<const int> ends) const;
  double push(int node, double most);

  std::vector<int> first_;  // of every node among halves_, and one more
  std::vector<Half> halves_;
  std::vector<int> halfOf_;   // of every way
  std::vector<double> left_;  // room of halves_ that is not taken
  std::vector<char> isEnd_;
  std::vector<int> distance_, next_, seen_;
  int nearest_ = 0;
};

}  // namespace glassformer
