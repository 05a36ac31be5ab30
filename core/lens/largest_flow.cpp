#include "core/lens/largest_flow.h"

#include <algorithm>
#include <numeric>

namespace glassformer {

FlowGraph::FlowGraph(int nodes, std::span<const Way> ways)
    : first_(static_cast<std::size_t>(nodes) + 1), isEnd_(static_cast<std::size_t>(nodes)) {
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  for (const Way& way : ways) ++first_[at(way.from) + 1], ++first_[at(way.to) + 1];
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  halves_.resize(2 * ways.size());
  std::vector<int> next = first_;
  for (const Way& way : ways) {
    const int there = next[at(way.from)]++, back = next[at(way.to)]++;
    halves_[at(there)] = {way.to, back, way.room}, halves_[at(back)] = {way.from, there, 0};
    halfOf_.push_back(there);
  }
}

std::vector<int> FlowGraph::cut(int from) {
  measureDistances(from, true);
  std::vector<int> ways;
  for (int way = 0; way < static_cast<int>(halfOf_.size()); ++way) {
    const Half& there = halves_[static_cast<std::size_t>(halfOf_[static_cast<std::size_t>(way)])];
    const Half& back = halves_[static_cast<std::size_t>(there.back)];
    const bool leaves = distance_[static_cast<std::size_t>(back.to)] >= 0;
    if (leaves && distance_[static_cast<std::size_t>(there.to)] < 0) ways.push_back(way);
  }
  return ways;
}

// No flow is larger than what leads out of its source, or into its ends: most of them are found at once by
// either, and need not be searched further.
double FlowGraph::largest(int from, std::span<const int> ends) {
  left_.resize(halves_.size());
  std::ranges::transform(halves_, left_.begin(), &Half::room);
  std::ranges::fill(isEnd_, 0);
  for (const int end : ends) isEnd_[static_cast<std::size_t>(end)] = 1;
  const auto begin = halves_.begin() + first_[static_cast<std::size_t>(from)],
             end = halves_.begin() + first_[static_cast<std::size_t>(from) + 1];
  double most =
      std::accumulate(begin, end, 0.0, [](double sum, const Half& half) { return sum + half.room; });
  double flow = 0;
  for (bool isFirst = true; most - flow > least && measureDistances(from, isFirst); isFirst = false) {
    if (isFirst) most = std::min(most, roomTo(ends));
    next_ = first_;
    flow += push(from, most - flow);
  }
  return flow;
}

// What leads to ends, from nodes that can be reached while nothing flows.
double FlowGraph::roomTo(std::span<const int> ends) const {
  double room = 0;
  for (const int end : ends)
    for (int i = first_[static_cast<std::size_t>(end)]; i < first_[static_cast<std::size_t>(end) + 1]; ++i) {
      const Half& half = halves_[static_cast<std::size_t>(i)];
      if (distance_[static_cast<std::size_t>(half.to)] >= 0)
        room += halves_[static_cast<std::size_t>(half.back)].room;
    }
  return room;
}

// How many steps each node is away, as far as the nearest end, or of all of them. False where no end can be
// reached.
bool FlowGraph::measureDistances(int from, bool ofAll) {
  distance_.assign(isEnd_.size(), -1);
  distance_[static_cast<std::size_t>(from)] = 0;
  seen_.assign(1, from), nearest_ = -1;
  for (std::size_t next = 0; next < seen_.size() && (ofAll || nearest_ < 0); ++next) {
    const auto at = static_cast<std::size_t>(seen_[next]);
    if (isEnd_[at] && nearest_ < 0) nearest_ = distance_[at];
    for (int i = first_[at]; i < first_[at + 1]; ++i) {
      if (left_[static_cast<std::size_t>(i)] <= least) continue;
      const int to = halves_[static_cast<std::size_t>(i)].to;
      if (int& steps = distance_[static_cast<std::size_t>(to)]; steps < 0)
        steps = distance_[at] + 1, seen_.push_back(to);
    }
  }
  return nearest_ >= 0;
}

// Along ways of that length, as much as they take; those that are full are not tried again.
double FlowGraph::push(int node, double most) {
  const auto at = static_cast<std::size_t>(node);
  if (isEnd_[at]) return most;
  if (distance_[at] == nearest_) return 0;
  double pushed = 0;
  for (int& i = next_[at]; i < first_[at + 1]; ++i) {
    const auto there = static_cast<std::size_t>(i);
    const Half& half = halves_[there];
    if (left_[there] <= least || distance_[static_cast<std::size_t>(half.to)] != distance_[at] + 1) continue;
    const double more = push(half.to, std::min(most - pushed, left_[there]));
    left_[there] -= more, left_[static_cast<std::size_t>(half.back)] += more, pushed += more;
    if (most - pushed <= least) break;
  }
  return pushed;
}

}  // namespace glassformer
