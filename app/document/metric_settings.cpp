#include "app/document/metric_settings.h"

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

CountedTokens countedTokens(std::string_view positions, std::size_t tokens, CountedTokens trained) {
  if (positions == allPositions || tokens < 2) return {};
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

Command contrast(int entry) {
  return changeSettings([entry](ViewSettings& settings) {
    settings.choose(againstChoice, entry < 0 ? "" : std::to_string(entry));
    settings.choose(metricSetting, entry < 0 ? "" : "difference");
  });
}

}  // namespace commands

}  // namespace glassformer
