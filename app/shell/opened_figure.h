#pragma once
#include <cstdint>
#include <future>
#include <string>

#include "app/document/figure_recipe.h"
#include "app/engine/snapshot.h"

namespace glassformer {

/// Holds what a figure that was opened was made from against what is there now. Behind the frames: the
/// weights of a large model take longer to read than a frame has.
class OpenedFigure {
 public:
  /// What it was made from, and the revision of the workspace from which on snapshots show it.
  void expect(FigureOrigin made, std::uint64_t revision);
  bool isWaiting() const { return made_.isKnown(); }
  /// What differs, in words, once that is known; else "".
  std::string update(const Snapshot& snapshot);

 private:
  FigureOrigin made_;
  std::uint64_t revision_ = 0;
  std::future<std::string> differs_;  // invalid: its model is not there yet
};

}  // namespace glassformer
