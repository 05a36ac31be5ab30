#pragma once
#include <cstdint>
#include <future>
#include <string>

#include "app/engine/snapshot.h"

namespace glassformer {

/// Holds the weights that a figure which was opened was made with against those that are there now. Behind
/// the frames: a large model's take longer to read than a frame has.
class FigureWeights {
 public:
  /// The checksum of those it was made with, empty where there were none, and the revision of the workspace
  /// from which on snapshots show it.
  void expect(std::string made, std::uint64_t revision);
  bool isWaiting() const { return !made_.empty(); }
  /// What differs, in words, once that is known; else "".
  std::string update(const Snapshot& snapshot);

 private:
  std::string made_;
  std::uint64_t revision_ = 0;
  std::future<std::string> now_;  // invalid: its model is not there yet
};

}  // namespace glassformer
