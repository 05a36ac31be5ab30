#pragma once
#include <algorithm>
#include <functional>
#include <string>

#include "core/watch.h"

namespace glassformer {

/// What the engine is working on, and how far it is.
struct Progress {
  std::string doing;        ///< "growing the beam tree"
  int done = 0, total = 0;  ///< parts of that; total 0 where it cannot tell
  double seconds = 0;       ///< since it took up what was asked for
  int piece = 0;            ///< which piece of that: two can be called the same

  /// Shorter work is not spoken of.
  static constexpr double noticeable = 0.3;

  float fraction() const {
    return total > 0 ? std::clamp(static_cast<float>(done) / static_cast<float>(total), 0.0f, 1.0f) : 0;
  }
};

/// Takes up a piece of work by its name; the watch it returns is told how far that is.
using StartJob = std::function<ProgressCallback(std::string doing)>;

}  // namespace glassformer
