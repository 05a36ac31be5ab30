#pragma once
#include <cstdint>
#include <filesystem>

#include "app/document/history.h"
#include "core/result.h"

namespace glassformer {

/// Keeps the session's file current: written a moment after the last change, so that typing does not wait for
/// the disk.
class SessionKeeper {
 public:
  static constexpr double patience = 0.4;  ///< seconds from the last change

  explicit SessionKeeper(std::filesystem::path file) : file_(std::move(file)) {}  ///< empty: nothing is kept

  void changed(double seconds) { changedAt_ = seconds; }
  bool isUnsaved(const History& history) const {
    return !file_.empty() && savedRevision_ != history.revision();
  }
  bool isDue(double seconds) const { return seconds - changedAt_ > patience; }
  /// What cannot be written is said once, and not tried again.
  Status save(const History& history);

 private:
  std::filesystem::path file_;
  std::uint64_t savedRevision_ = 0;
  double changedAt_ = 0;
};

}  // namespace glassformer
