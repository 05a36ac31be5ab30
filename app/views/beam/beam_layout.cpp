#include "app/views/beam/beam_layout.h"

#include <algorithm>
#include <span>

namespace glassformer {

// Without the distances, the values must only not decrease: isotonic regression by pooling neighbours that
// would.
std::vector<float> spread(const std::vector<float>& wanted, const std::vector<float>& distance,
                          float extent) {
  struct Pool {
    float sum = 0;
    int count = 0;
    float mean() const { return sum / static_cast<float>(count); }
  };
  std::vector<Pool> pools;
  std::vector<float> offset(wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    offset[i] = i ? offset[i - 1] + distance[i] : 0;
    pools.push_back({wanted[i] - offset[i], 1});
    while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
      const Pool later = pools.back();
      pools.pop_back();
      pools.back() = {pools.back().sum + later.sum, pools.back().count + later.count};
    }
  }
  const float room = std::max(0.0f, extent - (offset.empty() ? 0 : offset.back()));
  std::vector<float> result;
  for (const Pool& pool : pools)
    for (int i = 0; i < pool.count; ++i)
      result.push_back(std::clamp(pool.mean(), 0.0f, room) + offset[result.size()]);
  return result;
}

namespace {

class Layouter {
 public:
  Layouter(const BeamTree& tree, const BeamLayoutOptions& options) : tree_(tree), options_(options) {
    for (const BeamNode& node : tree.nodes) depth_ = std::max(depth_, node.depth);
    children_.resize(tree.nodes.size());
    for (std::size_t i = 1; i < tree.nodes.size(); ++i)
      children_[at(tree.nodes[i].parent)].push_back(static_cast<int>(i));
    for (std::size_t i = 0; i < children_.size(); ++i) {
      if (options.folded && !children_[i].empty() && options.folded(static_cast<int>(i)))
        children_[i].clear();
      selectShown(children_[i]);
    }
  }

  BeamLayout run() {
    makeColumns();
    float height = options_.size.y;
    for (const auto& column : columns_) height = std::max(height, heightOf(column));
    const auto count = static_cast<float>(depth_ + 1);
    columnWidth_ = std::clamp(options_.size.x / count, options_.leastColumn, options_.mostColumn);
    linkWidth_ = std::clamp(columnWidth_ * 0.28f, options_.leastLink, options_.mostLink);
    layout_.size = {std::max(options_.size.x, columnWidth_ * count), height};
    layout_.placeOf.assign(tree_.nodes.size(), -1);
    for (std::size_t d = 0; d < columns_.size(); ++d) placeColumn(static_cast<int>(d));
    return std::move(layout_);
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  const BeamNode& node(int i) const { return tree_.nodes[at(i)]; }
  bool pruned(int i) const { return node(i).state == BeamState::Pruned && children_[at(i)].empty(); }

  // The kept ones, and the best of the pruned; all of them in order of rank.
  void selectShown(std::vector<int>& siblings) const {
    std::stable_sort(siblings.begin(), siblings.end(),
                     [&](int a, int b) { return node(a).rank < node(b).rank; });
    int left = options_.prunedShown;
    std::erase_if(siblings, [&](int i) {
      if (options_.hidden && options_.hidden(i)) return true;
      if (node(i).state != BeamState::Pruned || node(i).greedy) return false;
      return left-- <= 0;
    });
  }

  void makeColumns() {
    columns_.assign(at(depth_ + 1), {});
    columns_[0] = {0};
    for (std::size_t d = 1; d < columns_.size(); ++d)
      for (const int parent : columns_[d - 1])
        for (const int child : children_[at(parent)]) columns_[d].push_back(child);
  }

  float nodeHeight(int i) const { return pruned(i) ? options_.prunedHeight : options_.keptHeight; }
  float gap(int a, int b) const {
    return node(a).parent == node(b).parent ? options_.siblingGap : options_.familyGap;
  }
  float heightOf(const std::vector<int>& column) const {
    float sum = 0;
    for (std::size_t i = 0; i < column.size(); ++i)
      sum += nodeHeight(column[i]) + (i ? gap(column[i - 1], column[i]) : 0);
    return sum;
  }

  // The children that were kept are centred on their parent as far as other families let them, so that a
  // hypothesis runs straight on; the pruned ones follow below.
  void placeColumn(int depth) {
    const std::vector<int>& column = columns_[at(depth)];
    std::vector<float> wanted, distance;
    for (std::size_t i = 0, end = 0; i < column.size(); i = end) {
      while (end < column.size() && node(column[end]).parent == node(column[i]).parent) ++end;
      wantFamily(std::span(column).subspan(i, end - i), wanted);
    }
    for (std::size_t i = 0; i < column.size(); ++i)
      distance.push_back(i ? nodeHeight(column[i - 1]) + gap(column[i - 1], column[i]) : 0);
    const float lastHeight = column.empty() ? 0 : nodeHeight(column.back());
    const auto tops = spread(wanted, distance, layout_.size.y - lastHeight);
    for (std::size_t i = 0; i < column.size(); ++i) {
      layout_.placeOf[at(column[i])] = static_cast<int>(layout_.places.size());
      layout_.places.push_back({column[i],
                                {static_cast<float>(depth) * columnWidth_, tops[i], columnWidth_ - linkWidth_,
                                 nodeHeight(column[i])}});
    }
  }

  // Where the children of one parent want to begin: those that were kept, and the first in any case, with
  // their middle at the parent's.
  void wantFamily(std::span<const int> family, std::vector<float>& wanted) const {
    const int parent = node(family.front()).parent;
    float kept = -options_.siblingGap;
    for (const int i : family)
      if (i == family.front() || node(i).state != BeamState::Pruned)
        kept += nodeHeight(i) + options_.siblingGap;
    const float middle =
        parent < 0 ? layout_.size.y / 2 : layout_.places[at(layout_.placeOf[at(parent)])].box.center().y;
    float top = middle - kept / 2;
    for (const int i : family) {
      wanted.push_back(top);
      top += nodeHeight(i) + options_.siblingGap;
    }
  }

  const BeamTree& tree_;
  const BeamLayoutOptions& options_;
  int depth_ = 0;
  float columnWidth_ = 0, linkWidth_ = 0;
  std::vector<std::vector<int>> children_, columns_;
  BeamLayout layout_;
};

}  // namespace

BeamLayout layOutBeam(const BeamTree& tree, const BeamLayoutOptions& options) {
  return Layouter(tree, options).run();
}

}  // namespace glassformer
