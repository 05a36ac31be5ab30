#pragma once
#include <cstdint>
#include <memory>

#include "app/engine/engine.h"
#include "app/views/views.h"
#include "tests/app/engine/short_run.h"
#include "tests/core/io/temporary_folder.h"
#include "tests/small_model.h"

namespace glassformer {

/// An engine whose model is in training.
struct FollowedRun {
  explicit FollowedRun(const TrainingPlan& plan) {
    workspace.plan = plan;
    workspace.model = training->begin(plan);
    workspace.text = "ab>";
  }
  void ask() { engine.request(workspace, ++revision); }
  std::shared_ptr<const Snapshot> answer() {
    ask();
    engine.finish();
    return engine.latest();
  }

  TemporaryFolder folder;
  std::shared_ptr<Training> training = std::make_shared<Training>(shortRunsIn(folder.path()));
  Engine engine{[](const std::string& name, const ProgressCallback&) { return makeSmallModel(name); }, [] {},
                neededFor, 1, training};
  Workspace workspace = initialWorkspace();
  std::uint64_t revision = 0;
};

}  // namespace glassformer
