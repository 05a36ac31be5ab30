#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "app/document/tab_text.h"

namespace glassformer {

/// A text that is kept to be gone back to, and to be seen in one tree with others that begin like it.
struct Branch {
  std::string name;
  TabText writing;
  int color = 0;  ///< its place in the order of headColor()

  bool operator==(const Branch&) const = default;
};

inline constexpr int mostBranches = 12, branchColors = 8;

/// Whether one of them is this text.
inline bool keeps(const std::vector<Branch>& branches, const TabText& writing) {
  return std::ranges::find(branches, writing, &Branch::writing) != branches.end();
}

/// What ViewSettings::choices calls the ways that are drawn beside the branches, "off" or "on"; without a
/// choice greedy's is there, and the beam's, samples are not.
inline constexpr const char *greedyPath = "beam.greedy", *beamPaths = "beam.hypotheses",
                            *samplePaths = "beam.samples";

}  // namespace glassformer
