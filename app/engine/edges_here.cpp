#include "app/engine/edges_here.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "app/document/workspace.h"
#include "app/engine/ablation_map.h"
#include "core/lens/ablation.h"
#include "core/lens/across_changes.h"
#include "core/lens/edge_estimates.h"
#include "core/trace/derived.h"

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

namespace {

using Index = std::array<int, maxRank>;

// As if the open text were the one text there is.
EdgesOverTexts asOneText(const EdgesHere& here) {
  EdgesOverTexts one(here.edges());
  one.add(0, here.told());
  return one;
}

std::string meaningOf(const EdgesKey& key) {
  return wordsOf(key.metric, key.pass.model->config()) + withoutEdge + "in the open text";
}

void addHere(const EdgesKey& key, const EdgesHere& here, TensorSet& set) {
  set.addAcross({edge::here, "YZ", meaningOf(key), equationOf(key.metric, key.pass.model->config())},
                here.told(), [key, edges = here.edges()](const Index& at) -> OpenPasses {
                  const auto sender = static_cast<std::size_t>(at[0]),
                             receiver = static_cast<std::size_t>(at[1]);
                  if (!edges.leads(sender, receiver)) return {};
                  return [=] {
                    return edgeAcross(key.pass.model, edges, passAtHand(asItIsWords, key.pass.trace),
                                      edgeWords(edges, sender, receiver), key.pass.interventions, sender,
                                      receiver, key.metric);
                  };
                });
}

// What the gradient says, and how far it is off of those that were left out.
void addEstimates(const EdgesKey& key, const EdgesHere& here, TensorSet& set) {
  const ModelConfig& config = key.pass.model->config();
  if (!hasEdgeEstimates(config, key.metric.kind)) return;
  Tensor errors = here.estimated();
  std::ranges::transform(errors.values(), here.told().values(), errors.values().begin(), std::minus<>());
  const std::string gradient =
      "−Σ q_i · ∂" + std::string(key.metric.kind == Metric::Kind::Loss ? "L" : "y") + " / ∂q";
  set.addAcross({edge::estimate, "YZ", "estimate by the gradient: " + meaningOf(key), gradient},
                here.estimated(), [key, edges = here.edges()](const Index& at) -> OpenPasses {
                  const auto sender = static_cast<std::size_t>(at[0]),
                             receiver = static_cast<std::size_t>(at[1]);
                  if (!edges.leads(sender, receiver)) return {};
                  return edgeEstimateAcross(key.pass.model, edges, *key.pass.trace, key.pass.interventions,
                                            sender, receiver, key.metric);
                });
  set.add({edge::error, "YZ", "error of the gradient's estimate",
           gradient + " − (" + equationOf(key.metric, config) + ")"},
          std::move(errors), [estimate = set[edge::estimate], told = set[edge::here]](const Index& at) {
            return derivedDifference(&estimate(at[0], at[1]), &told(at[0], at[1]));
          });
}

}  // namespace

std::string TextEdgeAblation::missing(const JobSide& side) const {
  if (std::string why = whyNoEdges(side.config()); !why.empty()) return why;
  const auto& trace = side.snapshot.pass->trace;
  return trace && trace->tokenCount() < 2 && tellsOfOpenText(side.workspace().settings)
             ? "edge ablation needs a text of at least two tokens"
             : "";
}

std::unique_ptr<EdgesHereState> TextEdgeAblation::start(const EdgesKey& key, const JobSide&,
                                                        const StartJob&) {
  return std::make_unique<EdgesHereState>(key, threads_);
}

bool TextEdgeAblation::follow(EdgesHereState& state, const JobSide& side) {
  const float threshold = thresholdOfEdges(side.workspace().settings);
  return std::exchange(state.threshold, threshold) != threshold;
}

bool TextEdgeAblation::goOn(const EdgesKey& key, EdgesHereState& state, const JobSide& side,
                            const StartJob& begin, const std::function<void()>& more) {
  const bool isAlone = tellsOfOpenText(side.workspace().settings);
  const bool isGraphLeft = isAlone && !(state.graph && state.graph->answers(key, state.threshold));
  if (state.edges.isWhole() && !isGraphLeft) return true;
  if (!state.edges.leaveOut(state.pass, begin(doing), more)) return false;
  if (isGraphLeft) state.graph = graphOfEdges(key, asOneText(state.edges), state.threshold, state.pass);
  more();
  return true;
}

JobResult TextEdgeAblation::result(const EdgesKey& key, const EdgesHereState& state,
                                   const JobSide& side) const {
  auto set = std::make_shared<TensorSet>();
  addHere(key, state.edges, *set);
  if (!tellsOfOpenText(side.workspace().settings)) return {std::move(set)};
  addEstimates(key, state.edges, *set);
  addStrongestEdges(asOneText(state.edges), *set);
  set->add({edge::tried, "2", "number of edges ablated, and of all edges", ""},
           Tensor({2}, {static_cast<float>(state.edges.tried()), static_cast<float>(state.edges.count())}));
  const float threshold = thresholdOfEdges(side.workspace().settings);
  if (state.graph && state.graph->answers(key, threshold)) addGraph(*state.graph, state.edges.edges(), *set);
  return {std::move(set)};
}

}  // namespace glassformer
