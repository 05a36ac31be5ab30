#pragma once
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/document/command.h"
#include "app/document/view_settings.h"
#include "core/lens/metric.h"

namespace glassformer {

/// A metric that experiments can be asked by, whatever they change: ablation, patching, edges, contributions.
struct MetricChoice {
  const char* id;     ///< in settings, files and on the command line
  const char* label;  ///< above a picture
  const char* words;  ///< in a sentence
  const char* tip;
  Metric::Kind kind;
  AnswerMetric::As as = AnswerMetric::As::Logit;
  bool isDifference = false;  ///< to a contrast token, without a choice the second most probable one

  /// Of one text among many: of its own answer (see ownMetric()).
  Metric ofText(const Trace& trace, const std::vector<int>& gaps, const CountedTokens& counted) const {
    return ownMetric(kind, as, isDifference, trace, gaps, counted);
  }
  bool isLogit() const { return Metric{.kind = kind, .of = {.as = as}}.isLogit(); }
};
inline constexpr std::array metricChoices{
    MetricChoice{"logit", "Logit", "logit", "change in the answer's logit z", Metric::Kind::Answer},
    MetricChoice{"difference", "Logit diff", "logit difference",
                 "change in the answer's logit minus the contrast token's (Wang et al. 2022). Ctrl+click a "
                 "token to contrast it.",
                 Metric::Kind::Answer, AnswerMetric::As::Logit, true},
    MetricChoice{"centered", "Centered", "centered logit",
                 "change in the answer's logit minus the mean logit", Metric::Kind::Answer,
                 AnswerMetric::As::CentredLogit},
    MetricChoice{"log_probability", "ln p", "log probability", "change in ln p of the answer, in nats",
                 Metric::Kind::Answer, AnswerMetric::As::LogProbability},
    MetricChoice{"probability", "p", "probability", "change in the answer's probability p",
                 Metric::Kind::Answer, AnswerMetric::As::Probability},
    MetricChoice{"kl", "KL", "KL divergence",
                 "divergence KL(p ‖ p changed) of all probabilities at this token, in nats",
                 Metric::Kind::Divergence},
    MetricChoice{"loss", "Loss", "loss", "rise of the mean −ln p of the counted tokens, in nats",
                 Metric::Kind::Loss}};

/// What ViewSettings::choices calls the metric, for all pictures alike; "": each picture's usual one.
inline constexpr const char* metricSetting = "question.metric";

/// And over which tokens behind the first a mean is taken: "" those that the task trains (all, where the text
/// is none of its questions), all, the last one, or those of a list, "7-9, 12", counted from 0.
inline constexpr const char *countedPositions = "question.positions", *allPositions = "all",
                            *lastPosition = "last";
/// The tokens of a list of positions, [T] of a text of so many; nothing where it is no list.
std::optional<std::vector<bool>> listedPositions(std::string_view list, std::size_t tokens);
/// The list of those that are true: "7-9, 12".
std::string positionList(const std::vector<bool>& tokens);
/// The tokens that count of a text of `tokens`, of which the task trains `trained` (empty: all).
CountedTokens countedTokens(std::string_view positions, std::size_t tokens, CountedTokens trained = {});

/// One of them; null where there is none of that id.
constexpr const MetricChoice* findMetric(std::string_view id) {
  const auto found =
      std::ranges::find_if(metricChoices, [&](const MetricChoice& each) { return each.id == id; });
  return found == metricChoices.end() ? nullptr : &*found;
}
/// That which is chosen, or the picture's usual one. Where a contrast token is chosen, a logit is a
/// difference.
const MetricChoice& chosenMetric(const ViewSettings& settings, const char* usual);

namespace commands {
Command chooseMetric(const char* id);
/// Counts the tokens from `first` to `last` in means, or no longer, where so far those of `counted` are.
Command paintCounted(CountedTokens counted, int first, int last, bool on);
/// The contrast token, whose logit is subtracted; −1: none.
Command contrast(int entry);
}  // namespace commands

}  // namespace glassformer
