#pragma once
#include <memory>

#include "app/engine/job.h"
#include "core/lens/integrated_gradients.h"

namespace glassformer {

/// What is asked of integrated gradients: which pass, of which logit, and along which path.
struct AttributionKey {
  PassKey pass;
  AnswerMetric logit;
  Baseline baseline;
  int most = 0;  ///< gradients
  bool operator==(const AttributionKey&) const = default;
};

/// Integrated gradients of the logit that is asked about, and their difference between two texts. The path is
/// divided piece by piece (Sundararajan et al. 2017).
class IntegratedAttribution final : public Job<AttributionKey, IntegratedGradients> {
 public:
  static constexpr const char* doing = "integrating gradients";

  explicit IntegratedAttribution(int /*threads*/) {}

 private:
  std::optional<AttributionKey> key(const JobSide& side) const override;
  std::unique_ptr<IntegratedGradients> start(const AttributionKey& key, const JobSide& side,
                                             const StartJob& begin) override;
  bool goOn(const AttributionKey& key, IntegratedGradients& gradients, const JobSide& side,
            const StartJob& begin, const std::function<void()>& more) override;
  JobResult result(const AttributionKey& key, const IntegratedGradients& gradients,
                   const JobSide&) const override;
  JobResult difference(const JobResult& here, const JobResult& there,
                       const Alignments& alignments) const override;
};

}  // namespace glassformer
