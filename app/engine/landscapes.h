#pragma once
#include <memory>
#include <string>

#include "app/document/workspace.h"
#include "app/engine/need.h"
#include "app/engine/open_model.h"
#include "app/engine/progress.h"
#include "core/train/landscape.h"

namespace glassformer {

/// The loss landscapes of the open model and of the one it is compared with. They do not depend on the text:
/// what is measured is kept while it is edited, and measuring goes on where it was broken off.
class Landscapes final : public BackgroundJob {
 public:
  static constexpr const char* doing = "measuring the loss landscape";

  explicit Landscapes(int threads) : threads_(threads) {}

  void show(const MeasuredModel& of, Snapshot& snapshot) const override;
  /// Makes the model's task where that is not at hand.
  bool prepare(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin) override;
  void measure(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin,
               const std::function<void()>& more) override;

 private:
  struct Side {
    std::shared_ptr<const Transformer> model;
    LandscapeOptions options;
    std::unique_ptr<LandscapeSurvey> survey;  // null: it cannot be measured
    std::string missing;                      // why
  };

  bool isOf(const Side& side, const std::shared_ptr<const Transformer>& model,
            const LandscapeOptions& options) const {
    return side.model == model && side.options == options;
  }
  bool takeUp(Side& side, const std::shared_ptr<const Transformer>& model, const OpenModel& open,
              const LandscapeOptions& options);

  int threads_;
  Side here_, there_;
};

/// The data that landscapes are measured on: about a thousand held-out tokens.
LossData landscapeData(const TrainingTask& task);

}  // namespace glassformer
