#include "app/document/metric_settings.h"

#include <algorithm>
#include <charconv>

#include "app/document/attribution_settings.h"
#include "app/document/edge_settings.h"
#include "app/document/view_commands.h"

namespace glassformer {

const MetricChoice& chosenMetric(const ViewSettings& settings, const char* usual) {
  const MetricChoice* chosen = findMetric(settings.chosen(metricSetting));
  if (!chosen) chosen = findMetric(usual);
  const bool isLogit = std::string_view(chosen->id) == "logit";
  return isLogit && !settings.chosen(againstChoice).empty() ? *findMetric("difference") : *chosen;
}

std::optional<std::vector<bool>> listedPositions(std::string_view list, std::size_t tokens) {
  std::vector<bool> listed(tokens, false);
  const auto number = [&](std::size_t& at) -> std::optional<std::size_t> {
    std::size_t value = 0;
    const auto [rest, error] = std::from_chars(list.data() + at, list.data() + list.size(), value);
    if (error != std::errc()) return std::nullopt;
    at = static_cast<std::size_t>(rest - list.data());
    return value;
  };
  for (std::size_t at = 0;;) {
    const auto first = number(at);
    auto last = first;
    if (first && at < list.size() && list[at] == '-') last = number(++at);
    if (!first || !last || *last < *first) return std::nullopt;
    for (std::size_t i = *first; i <= *last && i < tokens; ++i) listed[i] = true;
    if (at == list.size()) return listed;
    if (list[at++] != ',') return std::nullopt;
    if (at < list.size() && list[at] == ' ') ++at;
  }
}

std::string positionList(const std::vector<bool>& tokens) {
  std::string list;
  for (std::size_t first = 0; first < tokens.size(); ++first) {
    if (!tokens[first]) continue;
    std::size_t last = first;
    while (last + 1 < tokens.size() && tokens[last + 1]) ++last;
    list += (list.empty() ? "" : ", ") + std::to_string(first);
    if (last > first) list += "-" + std::to_string(last);
    first = last;
  }
  return list;
}

CountedTokens countedTokens(std::string_view positions, std::size_t tokens, CountedTokens trained) {
  if (positions == allPositions || tokens < 2) return {};
  if (auto listed = listedPositions(positions, tokens)) {
    listed->erase(listed->begin());  // nothing comes before the first
    return std::ranges::count(*listed, true) > 0 ? *std::move(listed) : std::move(trained);
  }
  if (positions != lastPosition) return trained;
  CountedTokens last(tokens - 1, false);
  last.back() = true;
  return last;
}

namespace commands {

Command chooseMetric(const char* id) {
  return changeSettings([id = std::string_view(id)](ViewSettings& settings) {
    settings.choose(metricSetting, id);
    settings.choose(edgeThreshold, "");  // another metric, other numbers
    if (id == "logit") settings.choose(againstChoice, "");
    if (settings.residual.to == ContributionTo::FinalState || settings.residual.to == ContributionTo::Length)
      return;
    if (id == "logit") settings.residual.to = ContributionTo::Logit;
    if (id == "centered") settings.residual.to = ContributionTo::CentredLogit;
  });
}

Command paintCounted(CountedTokens counted, int first, int last, bool on) {
  std::vector<bool> tokens = std::move(counted);
  tokens.insert(tokens.begin(), false);
  for (int t = std::max(std::min(first, last), 1); t <= std::max(first, last); ++t)
    if (t < static_cast<int>(tokens.size())) tokens[static_cast<std::size_t>(t)] = on;
  return choose(countedPositions, positionList(tokens));
}

Command contrast(int entry) {
  return changeSettings([entry](ViewSettings& settings) {
    settings.choose(againstChoice, entry < 0 ? "" : std::to_string(entry));
    settings.choose(metricSetting, entry < 0 ? "" : "difference");
  });
}

}  // namespace commands

}  // namespace glassformer
