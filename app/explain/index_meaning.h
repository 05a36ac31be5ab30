#pragma once
#include <string>
#include <utility>

#include "app/engine/snapshot.h"

namespace glassformer {

/// What an index along one dimension of a tensor is called, and what it stands for: {"query", "9  ·was"}.
/// Both are empty where there is nothing to count.
std::pair<std::string, std::string> indexMeaning(const Snapshot& snapshot, const TracePoint& point,
                                                 int dimension, int i);

}  // namespace glassformer
