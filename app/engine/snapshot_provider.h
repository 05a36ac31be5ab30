#pragma once
#include <memory>
#include <optional>

#include "app/document/workspace.h"
#include "app/engine/progress.h"
#include "app/engine/snapshot.h"

namespace glassformer {

/// Whoever turns workspaces into snapshots: the engine in the program, ready-made ones in tests of the
/// window.
class SnapshotProvider {
 public:
  virtual ~SnapshotProvider() = default;
  /// Asks for this workspace; a newer request replaces an older one. Returns at once.
  virtual void request(const Workspace& workspace, std::uint64_t revision) = 0;
  /// The newest finished snapshot; never null.
  virtual std::shared_ptr<const Snapshot> latest() const = 0;

  /// What is being worked on; nothing at rest. Returns at once.
  virtual std::optional<Progress> progress() const { return std::nullopt; }
  /// Gives up what is being worked on. The latest snapshot stays, and says so (Snapshot::cancelled).
  virtual void cancel() {}
  /// Takes up again what was cancelled.
  virtual void resume() {}
};

}  // namespace glassformer
