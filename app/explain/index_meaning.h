#pragma once
#include <string>
#include <utility>

#include "app/engine/snapshot.h"
#include "app/scene/tensor_ref.h"

namespace glassformer {

/// What an index along one dimension of a tensor is called, and what it stands for: {"query", "9  ·was"}.
/// Both are empty where there is nothing to count.
std::pair<std::string, std::string> indexMeaning(const Snapshot& snapshot, const TracePoint& point,
                                                 int dimension, int i);

/// All of them, of one cell: "query 9  ·was, key 3  't, head 0".
std::string indexMeanings(const Snapshot& snapshot, const TracePoint& point, const TensorRef& cell);

/// The words that stand at its positions, and its entry of the vocabulary: "·was, 't"; empty: it has none.
std::string wordsAt(const Snapshot& snapshot, const TracePoint& point, const TensorRef& cell);

}  // namespace glassformer
