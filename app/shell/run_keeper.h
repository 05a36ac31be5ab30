#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>

#include "app/document/history.h"
#include "app/engine/snapshot.h"
#include "app/engine/training.h"

namespace glassformer {

/// Between the workspace and what is trained: opens a run that was begun as soon as it is there, and tells
/// the open one what the workspace asks of it.
class RunKeeper {
 public:
  /// `training` may be null: then nothing can be trained.
  explicit RunKeeper(std::shared_ptr<Training> training) : training_(std::move(training)) {}

  Training* training() const { return training_.get(); }
  bool isRunning() const { return training_ && training_->isRunning(); }
  /// What a run is prepared with; nothing at most times.
  std::optional<Progress> progress() const { return training_ ? training_->progress() : std::nullopt; }

  /// Begins a run as the workspace's plan says, with the model of the snapshot where that is to learn on.
  void start(const Workspace& workspace, const Snapshot& snapshot);
  /// Begins a run that goes on from the step of the open one that the workspace shows.
  void branch(const Workspace& workspace);
  /// Once in every frame. Returns why a run could not be begun; empty at all other times.
  std::string update(History& history, double seconds);

 private:
  void follow(History& history, double seconds);

  std::shared_ptr<Training> training_;
  std::string awaited_;  // begun, and not there yet
  // What the run was told last: nothing is new to it as long as these are what they were.
  std::tuple<std::shared_ptr<const RunReport>, std::uint64_t, std::string> followed_;
};

}  // namespace glassformer
