#include "app/engine/edges_here.h"

#include <algorithm>
#include <cmath>

namespace glassformer {

EdgesHere::EdgesHere(std::shared_ptr<const Transformer> model, std::shared_ptr<const Trace> text,
                     const ModelEdges& edges, const Interventions& standing, Metric metric)
    : model_(std::move(model)),
      text_(std::move(text)),
      edges_(edges),
      asked_(*model_, edges_, *text_, standing, std::move(metric)),
      told_({static_cast<int>(edges.senders.size()), static_cast<int>(edges.receivers.size())},
            std::vector<float>(edges.senders.size() * edges.receivers.size(), NAN)),
      estimated_(told_) {
  for (std::size_t r = 0; r < edges_.receivers.size(); ++r)
    for (std::size_t s = 0; s < edges_.senders.size(); ++s)
      if (edges_.leads(s, r)) order_.emplace_back(s, r);
}

// The best guesses first.
void EdgesHere::takeUpOrder() {
  estimated_ = asked_.estimates();
  std::ranges::stable_sort(order_, std::greater<>(), [&](const auto& edge) {
    const float estimate = estimated_.view()(static_cast<int>(edge.first), static_cast<int>(edge.second));
    return std::isfinite(estimate) ? std::abs(estimate) : 0;
  });
  isOrdered_ = true;
}

bool EdgesHere::leaveOut(LivePass& pass, const ProgressCallback& watch, const std::function<void()>& more) {
  if (!watch(tried(), count())) return false;
  if (!isOrdered_) takeUpOrder();
  for (; next_ < order_.size(); ++next_) {
    if (!watch(tried(), count())) return false;
    const auto& [sender, receiver] = order_[next_];
    told_(static_cast<int>(sender), static_cast<int>(receiver)) = asked_.without(pass, sender, receiver);
    more();
  }
  return true;
}

}  // namespace glassformer
