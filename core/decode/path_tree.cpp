#include "core/decode/path_tree.h"

#include <algorithm>
#include <cassert>
#include <iterator>

namespace glassformer {
namespace {

std::size_t commonLength(const std::vector<int>& a, const std::vector<int>& b) {
  return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

class Grower {
 public:
  explicit Grower(std::span<const std::vector<int>> texts) : texts_(texts) {
    tree_.ends.assign(texts.size(), -1);
    tree_.root = texts.front();
    for (std::size_t i = 0; i < texts.size(); ++i)
      if (const std::size_t common = commonLength(texts[i], texts.front()); common > 0) {
        together_.push_back(i);
        tree_.root.resize(std::min(tree_.root.size(), common));
      }
  }

  // The last one put aside is the next, so that a whole branch comes before the one beside it.
  PathTree grown() {
    std::vector<Place> open{{{}, together_}};
    while (!open.empty()) {
      const Place place = std::move(open.back());
      open.pop_back();
      const int node = static_cast<int>(tree_.nodes.size());
      tree_.nodes.push_back(place.node);
      std::vector<Place> further = behind(node, place.through);
      std::ranges::move(further.rbegin(), further.rend(), std::back_inserter(open));
    }
    return std::move(tree_);
  }

 private:
  // A node that is still to be put into the tree, and the texts that lead through it.
  struct Place {
    PathTree::Node node;
    std::vector<std::size_t> through;
  };

  // What follows a node, in the order of the texts that go there first.
  std::vector<Place> behind(int node, const std::vector<std::size_t>& through) {
    const int depth = tree_.nodes[at(node)].depth;
    const std::size_t place = tree_.root.size() + at(depth);
    std::vector<Place> places;
    for (const std::size_t i : through) {
      if (texts_[i].size() == place) {
        tree_.ends[i] = node;
        continue;
      }
      const int token = texts_[i][place];
      auto found = std::ranges::find_if(places, [&](const Place& p) { return p.node.token == token; });
      if (found == places.end())
        found = places.insert(found, {{.parent = node, .token = token, .depth = depth + 1}, {}});
      found->through.push_back(i);
    }
    return places;
  }
  static std::size_t at(int node) { return static_cast<std::size_t>(node); }

  std::span<const std::vector<int>> texts_;
  std::vector<std::size_t> together_;
  PathTree tree_;
};

}  // namespace

std::vector<int> PathTree::path(int node) const {
  std::vector<int> tokens;
  for (; node > 0; node = nodes[static_cast<std::size_t>(node)].parent)
    tokens.push_back(nodes[static_cast<std::size_t>(node)].token);
  std::ranges::reverse(tokens);
  return tokens;
}

PathTree pathTree(std::span<const std::vector<int>> texts) {
  assert(!texts.empty() && !texts.front().empty());
  return Grower(texts).grown();
}

bool weigh(PathTree& tree, const NextTokenLogits& logits, const std::function<bool()>& goesOn) {
  std::vector<std::vector<int>> children(tree.nodes.size());
  for (std::size_t i = 1; i < tree.nodes.size(); ++i)
    children[static_cast<std::size_t>(tree.nodes[i].parent)].push_back(static_cast<int>(i));
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    if (children[i].empty()) continue;
    if (!goesOn()) return false;
    std::vector<int> text = tree.root;
    for (const int token : tree.path(static_cast<int>(i))) text.push_back(token);
    const std::vector<double> logProbabilities = logSoftmax(logits(text));
    for (const int child : children[i]) {
      PathTree::Node& node = tree.nodes[static_cast<std::size_t>(child)];
      node.logProbability = logProbabilities[static_cast<std::size_t>(node.token)];
      node.cumulative = tree.nodes[i].cumulative + node.logProbability;
    }
  }
  return true;
}

}  // namespace glassformer
