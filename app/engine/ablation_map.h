#pragma once
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "app/document/metric_settings.h"
#include "app/document/switches.h"
#include "app/engine/job.h"
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

/// What is asked of ablation: which pass, what its number is, where and how parts are left out.
struct AblationKey {
  PassKey pass;
  std::vector<Metric> metrics;  ///< one for each of causal::numbers
  bool byPosition = false;
  AblationKind as = AblationKind::Zero;
  std::size_t estimated = 0;  ///< which of them the gradient estimates; the exact numbers are the same

  bool operator==(const AblationKey& other) const;
};

/// What is known of it.
struct AblationState {
  using Changes = std::vector<std::optional<Intervention>>;
  std::shared_ptr<const Changes> leftOut;  ///< of every cell, as zero; nothing where there is no such part
  int columns = 0;
  std::unique_ptr<LivePass> pass;
  std::vector<Tensor> changes;                 ///< by metric; NaN: not computed yet, or no such part
  std::vector<int> order;                      ///< of the cells, the largest estimates first
  int next = 0;                                ///< of these
  std::size_t estimated = 0;                   ///< of which metric the estimates are
  Tensor estimates;                            ///< NaN: no such part
  std::shared_ptr<const TensorSet> gradients;  ///< that they are made of; null: not computed yet
};

/// The effect on the prediction asked about of ablating every component, by zero or by its mean over the
/// text, at all positions or at one. The largest gradient estimates come first.
class AblationMap final : public Job<AblationKey, AblationState> {
 public:
  static constexpr const char* doing = "ablating every component";

  explicit AblationMap(int threads) : threads_(threads) {}

 private:
  std::optional<AblationKey> key(const JobSide& side) const override;
  std::unique_ptr<AblationState> start(const AblationKey& key, const JobSide& side,
                                       const StartJob& begin) override;
  bool goOn(const AblationKey& key, AblationState& state, const JobSide& side, const StartJob& begin,
            const std::function<void()>& more) override;
  JobResult result(const AblationKey& key, const AblationState& state, const JobSide&) const override;
  JobResult difference(const JobResult& here, const JobResult& there,
                       const Alignments& alignments) const override;

  int threads_;
};

}  // namespace glassformer
