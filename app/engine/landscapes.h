#pragma once
#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "app/engine/open_model.h"
#include "app/engine/progress.h"
#include "core/train/landscape.h"

namespace glassformer {

/// The loss landscapes of the open model and of the one it is compared with. They do not depend on the text:
/// what is measured is kept while it is edited, and measuring goes on where it was broken off.
class Landscapes {
 public:
  explicit Landscapes(int threads) : threads_(threads) {}

  /// Puts into the snapshot, its comparison and its difference what is measured for this workspace, or why
  /// nothing can be.
  /// `other`: the model compared with, where it is another one; else null.
  void show(const Workspace& workspace, const OpenModel& model,
            const std::shared_ptr<const Transformer>& other, Snapshot& snapshot) const;
  /// Measures on until all is there or what it begins is stopped; `measured` is called whenever there is more
  /// to show. Makes the model's task where that is not at hand. False where it was stopped.
  bool survey(const Workspace& workspace, OpenModel& model, const std::shared_ptr<const Transformer>& other,
              const Begin& begin, const std::function<void()>& measured);

  /// What survey() was stopped at is not gone on with until something it depends on changes, or it is asked
  /// for.
  void decline() { isDeclined_ = true; }
  void accept() { isDeclined_ = false; }
  bool isDeclined() const { return isDeclined_; }
  static constexpr const char* doing = "measuring the loss landscape";

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
  bool prepare(Side& side, const std::shared_ptr<const Transformer>& model, const OpenModel& open,
               const LandscapeOptions& options);

  int threads_;
  Side here_, there_;
  bool isDeclined_ = false;
};

/// The data that landscapes are measured on: about a thousand held-out tokens.
LossData landscapeData(const TrainingTask& task);

}  // namespace glassformer
