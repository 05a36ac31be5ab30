#pragma once
#include <chrono>
#include <mutex>
#include <optional>
#include <string>

#include "app/engine/progress.h"

namespace glassformer {

/// What a thread does that takes longer, one piece after the other: how far it is, and whether it is to go
/// on. May be asked from any thread.
class LongWork {
 public:
  /// Whether a piece of work gives way to the next one that is asked for.
  enum class Patience { Insists, Yields };

  /// Work that is asked for and waits.
  void announce(std::string doing);
  /// What was announced will not be begun: it is done already.
  void withdraw();
  /// Takes up a piece of work; the watch is told how far it is.
  ProgressCallback begin(std::string doing, Patience patience = Patience::Insists);
  /// The piece under way is done, but for handing it over: false where it was cancelled, and from here on it
  /// is not any more.
  bool conclude();
  void end();
  /// The piece under way, or the one that waits; false where it is too late for that.
  bool cancel();
  /// No work goes on from here.
  void stop();

  /// Whether the piece under way was cancelled.
  bool isCancelled() const;
  std::optional<Progress> progress() const;

 private:
  using Clock = std::chrono::steady_clock;

  mutable std::mutex mutex_;
  std::string announced_;
  std::optional<Progress> doing_;
  Patience patience_ = Patience::Insists;
  bool cancelled_ = false, concluded_ = false, stopped_ = false;
  Clock::time_point since_;
};

}  // namespace glassformer
