#pragma once
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "app/document/workspace.h"
#include "app/engine/loaded_model.h"
#include "app/engine/need.h"
#include "app/engine/snapshot_provider.h"

namespace glassformer {

class Training;

/// Computes snapshots on a thread of its own. The newest request wins; what a request shares with the one
/// before is not computed again. The forward pass and its measurements are published first, the beam tree
/// follows. Errors become part of the snapshot: the text of the workspace is never touched. Whatever may take
/// long says how far it is and can be cancelled; then what was there before stays.
class Engine : public SnapshotProvider {
 public:
  /// `published` is called, on the engine's thread, after each new snapshot.
  /// `needsOf` says what is to be measured for a workspace besides what every picture reads.
  /// `training`: where the models come from that are in training; null: there are none.
  Engine(ModelLoader loader, std::function<void()> published, NeedsOf needsOf, int threads = 2,
         std::shared_ptr<Training> training = nullptr);
  ~Engine() override;

  void request(const Workspace& workspace, std::uint64_t revision) override;
  std::shared_ptr<const Snapshot> latest() const override;
  std::optional<Progress> progress() const override;
  void cancel() override;
  void resume() override;
  /// Waits until the newest request is answered completely. For tests and the command line.
  void finish();

 private:
  class Worker;
  using Clock = std::chrono::steady_clock;
  struct Asked {
    Workspace workspace;
    std::uint64_t revision = 0;
    bool resumed = false;  ///< what was cancelled for it is to be taken up again
  };

  void loop();
  void refresh();
  bool superseded() const;
  bool cancelled() const;
  bool goesOn() const { return !pending_ && !stopping_ && !cancelled_; }
  ProgressCallback begin(std::string doing);
  void publish(std::shared_ptr<const Snapshot> snapshot);

  ModelLoader loader_;
  std::function<void()> published_;
  NeedsOf needsOf_;
  int threads_;
  std::shared_ptr<Training> training_;

  mutable std::mutex mutex_;
  std::condition_variable wake_, idle_;
  std::optional<Asked> asked_;  // last
  bool pending_ = false;        // it waits to be taken up
  bool outdated_ = false;       // a run has moved on: once there is nothing else to do
  bool awaitsRun_ = false;      // one is being opened: what was asked for follows when it is there
  bool working_ = false, stopping_ = false, cancelled_ = false;
  Progress progress_;
  Clock::time_point began_;
  std::shared_ptr<const Snapshot> latest_ = std::make_shared<Snapshot>();
  std::thread thread_;  // last: everything above exists when it starts
};

}  // namespace glassformer
