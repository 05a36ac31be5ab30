#pragma once
#include <array>
#include <memory>

#include "app/engine/need.h"
#include "core/lens/integrated_gradients.h"

namespace glassformer {

/// Integrated gradients of the logit that is asked about, of the open text and of one that it is compared
/// with, and the difference of both: the path is divided piece by piece behind the picture, and begun anew
/// when text, prediction, baseline, interventions or model change.
class IntegratedAttribution final : public BackgroundJob {
 public:
  static constexpr const char* doing = "integrating gradients";

  explicit IntegratedAttribution(int) {}

  void show(const MeasuredModel& of, Snapshot& snapshot) const override;
  bool prepare(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin) override;
  void measure(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin,
               const std::function<void()>& more) override;

 private:
  struct Side {
    std::shared_ptr<const Transformer> model;  // null: there is nothing to attribute
    std::shared_ptr<const Trace> trace;
    Interventions interventions;
    AnswerMetric logit;
    Baseline baseline;
    int most = 0;  // gradients
    std::unique_ptr<IntegratedGradients> gradients;

    bool isOf(const Side& side) const {
      return model == side.model && trace == side.trace && interventions == side.interventions &&
             logit == side.logit && baseline == side.baseline && most == side.most;
    }
  };

  static std::array<Side, 2> asked(const MeasuredModel& of, const Snapshot& snapshot);
  static Side sideOf(const MeasuredModel& of, const Snapshot& snapshot,
                     const std::shared_ptr<const Transformer>& model);
  static JobResult keptOf(const Side& side, const Side& asked);

  static JobResult differenceOf(const JobResult& here, const JobResult& there, const Alignments& alignments);

  std::array<Side, 2> sides_;
};

}  // namespace glassformer
