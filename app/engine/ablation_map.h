#pragma once
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "app/document/metric_settings.h"
#include "app/document/switches.h"
#include "app/engine/need.h"
#include "core/lens/ablation.h"

namespace glassformer {

/// The parts of a model that are left out one by one: a row for every attention (or what stands in its
/// place), and in it every head, all of it, and the MLP behind it.
struct CausalRow {
  AttentionSite site = AttentionSite::Self;
  int layer = 0;
};
std::vector<CausalRow> causalRows(const ModelConfig& config);
/// Heads, then the two.
int causalColumns(const ModelConfig& config);
/// Nothing where the row has no such part.
std::optional<ModelPart> causalPart(const ModelConfig& config, const CausalRow& row, int column);

/// How the picture calls a row, "block 2", "across 0", and a column, "3", "all + b_O" (zeroing what
/// attention adds takes its output's bias along), "MLP"; and a positioned part, "L2H3", "L2 MLP".
std::string causalRowName(const CausalRow& row);
std::string causalColumnName(const ModelConfig& config, int column);
std::string shortNameOf(const ModelPart& part);

/// How passes are called that are run again for a number: as it is, or without a part, "head L2H0 left out at
/// position 3".
inline constexpr const char* asItIsWords = "the pass as it is";
std::string leftOutWords(const Intervention& off, AblationKind as = AblationKind::Zero);

/// What leaves out each of them, row by row; nothing where there is no such part.
std::vector<std::optional<Intervention>> everyPartOff(const ModelConfig& config);

/// Those that write into the text's own stream at one position at a time: every head and MLP, block by block.
std::vector<ModelPart> positionedParts(const ModelConfig& config);
/// The same part left out at one position alone.
Intervention switchedOffAt(const ModelPart& part, int position);

/// The numbers that `part` selects, what switches it off, held at their mean over the text of the pass, and
/// named so.
Intervention meanAblation(const ShownPass& pass, const ModelPart& part, const Intervention& off);

/// What ablation measures of every part, all of one pass without it: by each metric, what it changes by.
struct AblationNumber {
  const char* tensor;  ///< [Y, Z]; of each part at one position alone "_at" is behind it, [Y, T]
  const char* metric;  ///< id of metricChoices
};
namespace causal {
inline constexpr const char *logit = "causal.logit",  ///< of the predicted logit, or of its lead over another
    *divergence = "causal.divergence";
inline constexpr std::array numbers{AblationNumber{logit, "logit"},
                                    AblationNumber{"causal.centered_logit", "centered"},
                                    AblationNumber{"causal.log_probability", "log_probability"},
                                    AblationNumber{"causal.probability", "probability"},
                                    AblationNumber{divergence, "kl"},
                                    AblationNumber{"causal.loss", "loss"}};
inline constexpr const char *estimate = "causal.estimate",  ///< what the gradient says of the chosen metric
    *error = "causal.error";                                ///< that less what it really is
/// That of the chosen metric.
std::string numberOf(const ViewSettings& settings);
/// As it is called where parts are left out at one position.
std::string at(std::string tensor, bool byPosition);
}  // namespace causal

/// What leaving out every part, at all positions or at one, or holding it at its mean over the text, does to
/// the prediction that is asked about; computed part by part behind the picture, those first of which the
/// gradient promises most, and anew when text, prediction, interventions or model change.
class AblationMap final : public BackgroundJob {
 public:
  static constexpr const char* doing = "ablating every component";

  explicit AblationMap(int threads) : threads_(threads) {}

  void show(const MeasuredModel& of, Snapshot& snapshot) const override;
  bool prepare(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin) override;
  void measure(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin,
               const std::function<void()>& more) override;

 private:
  bool changesAreOf(const MeasuredModel& of, const Snapshot& snapshot) const;
  bool isOf(const MeasuredModel& of, const Snapshot& snapshot) const;
  std::shared_ptr<const TensorSet> measured() const;
  void ask(const MeasuredModel& of, const Snapshot& snapshot);
  int columns() const { return estimates_.view().extent[1]; }
  TensorSet::AcrossOf acrossCells(const Metric& metric) const;
  TensorSet::DerivationOf madeOfEstimates() const;
  void takeUpEstimates();

  int threads_;
  std::shared_ptr<const Transformer> model_;
  std::shared_ptr<const Trace> trace_;
  Interventions interventions_;
  std::vector<Metric> metrics_;  // one for each of causal::numbers
  std::size_t estimated_ = 0;    // which of them the gradient estimates
  bool byPosition_ = false;
  AblationKind as_ = AblationKind::Zero;
  std::unique_ptr<LivePass> pass_;
  using Changes = std::vector<std::optional<Intervention>>;
  std::shared_ptr<const Changes> leftOut_;  // for every cell, as zero; nothing where there is no such part
  std::vector<Tensor> changes_;             // by metrics_; NaN: not computed yet, or no such part
  Tensor estimates_;                        // NaN: no such part
  std::shared_ptr<const TensorSet> gradients_;  // that they are made of; null: not computed yet
  std::vector<int> order_;                      // of the cells, the largest estimates first
  int next_ = 0;                                // of these
};

}  // namespace glassformer
