#include "app/engine/edge_ablation.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>

#include "app/document/edge_settings.h"
#include "app/document/workspace.h"
#include "app/engine/ablation_map.h"
#include "app/engine/asked_metric.h"
#include "app/engine/open_model.h"
#include "core/lens/across_changes.h"
#include "core/model/live_pass.h"

namespace glassformer {

EdgesOverTexts::Number EdgesOverTexts::of(std::size_t sender, std::size_t receiver, float threshold) const {
  Number number;
  int often = 0;
  for (const Tensor& text : rises_)
    if (const float rise = text.view()(static_cast<int>(sender), static_cast<int>(receiver));
        std::isfinite(rise))
      number.spread.add(static_cast<double>(rise)), often += std::abs(rise) >= threshold;
  if (number.spread.texts() > 0)
    number.often = static_cast<float>(often) / static_cast<float>(number.spread.texts());
  return number;
}

Tensor EdgesOverTexts::all() const {
  Tensor all({texts(), static_cast<int>(edges_.senders.size()), static_cast<int>(edges_.receivers.size())});
  auto next = all.values().begin();
  for (const Tensor& each : rises_) next = std::ranges::copy(each.values(), next).out;
  return all;
}

std::vector<std::pair<std::size_t, std::size_t>> EdgesOverTexts::strongest(std::size_t most) const {
  std::vector<std::pair<std::size_t, std::size_t>> all;
  for (std::size_t s = 0; s < edges_.senders.size(); ++s)
    for (std::size_t r = 0; r < edges_.receivers.size(); ++r)
      if (of(s, r, 0).spread.texts() > 0) all.emplace_back(s, r);
  std::ranges::stable_sort(all, std::greater<>(), [&](const auto& each) {
    return std::abs(of(each.first, each.second, 0).spread.mean());
  });
  all.resize(std::min(all.size(), most));
  return all;
}

Metric edgeMetricAsked(const JobSide& side) {
  const ViewSettings& settings = side.workspace().settings;
  return askedMetric(settings, *side.snapshot.pass, metricOfEdges(settings),
                     side.of.model.shown->tokenizer->mask());
}

std::optional<EdgesKey> edgesAsked(const JobSide& side) {
  auto pass = side.pass();
  if (!pass || pass->trace->tokenCount() < 2 || !whyNoEdges(side.config()).empty()) return std::nullopt;
  Metric metric = edgeMetricAsked(side);
  const bool isPredicted =
      metric.of.prediction.entry >= 0 && metric.of.prediction.position < pass->trace->tokenCount();
  if (metric.kind != Metric::Kind::Loss && !isPredicted) return std::nullopt;
  return EdgesKey{*std::move(pass), std::move(metric)};
}

bool tellsOfOpenText(const ViewSettings& settings) { return settings.chosen(edgeTexts).empty(); }

const MetricChoice& metricOfEdges(const ViewSettings& settings) {
  return chosenMetric(settings, usualEdgeMetric);
}

const char* usualThresholdOfEdges(const ViewSettings& settings) {
  return metricOfEdges(settings).isLogit() ? usualEdgeLogitThreshold : usualEdgeThreshold;
}

float thresholdOfEdges(const ViewSettings& settings) {
  const std::string chosen(settings.chosen(edgeThreshold));
  const float number = std::strtof(chosen.c_str(), nullptr);
  return number > 0 ? number : std::strtof(usualThresholdOfEdges(settings), nullptr);
}

EdgeGraph graphOfEdges(const EdgesKey& of, const EdgesOverTexts& told, float threshold, LivePass& pass) {
  const ModelEdges& edges = told.edges();
  std::vector<bool> kept;
  for (std::size_t s = 0; s < edges.senders.size(); ++s)
    for (std::size_t r = 0; r < edges.receivers.size(); ++r)
      kept.push_back(std::abs(told.of(s, r, threshold).spread.mean()) >= static_cast<double>(threshold));
  const KeptEdges isKept = [kept = std::move(kept), columns = edges.receivers.size()](std::size_t sender,
                                                                                      std::size_t receiver) {
    return static_cast<bool>(kept[sender * columns + receiver]);
  };
  const auto& [model, trace, interventions] = of.pass;
  const auto graph = passOfEdges(pass, edges, *trace, interventions, isKept);
  return {of, threshold, isKept, reproducedBy(model->config(), *trace, *graph, of.metric)};
}

void addGraph(const EdgeGraph& graph, const ModelEdges& edges, TensorSet& set) {
  const OpenPasses across = [of = graph.of, isKept = graph.isKept, edges] {
    LivePass pass(of.pass.model);
    ReplayedPass alone = passAtHand("the graph of edges alone",
                                    passOfEdges(pass, edges, *of.pass.trace, of.pass.interventions, isKept));
    return metricAcross(of.pass.model->config(), passAtHand(asItIsWords, of.pass.trace), std::move(alone),
                        of.metric);
  };
  set.addAcross({edge::alone, "2",
                 "the open text with the edges above the threshold alone: the metric of edges, and the share "
                 "of positions with the same top token",
                 ""},
                Tensor({2}, {graph.alone.told, graph.alone.answers}),
                [across](const auto& at) { return at[0] == 0 ? across : OpenPasses(); });
}

void addStrongestEdges(const EdgesOverTexts& told, TensorSet& set) {
  const auto strongest = told.strongest(edge::listed);
  if (strongest.empty()) return;
  const int rows = static_cast<int>(strongest.size());
  Tensor sender({rows}), receiver({rows});
  for (int i = 0; i < rows; ++i)
    sender(i) = static_cast<float>(strongest[static_cast<std::size_t>(i)].first),
    receiver(i) = static_cast<float>(strongest[static_cast<std::size_t>(i)].second);
  set.add({edge::sender, "Y", "the component that writes: a row of the table of edges", ""},
          std::move(sender));
  set.add({edge::receiver, "Y", "the input that reads: a column of the table of edges", ""},
          std::move(receiver));
}

std::string edgeWords(const ModelEdges& edges, std::size_t sender, std::size_t receiver) {
  return nameOf(edges.senders[sender]) + " to " + nameOf(edges.receivers[receiver]) + " ablated";
}

}  // namespace glassformer
