#pragma once
#include "core/model/positional/positional_encoding.h"

namespace glassformer {

/// Every head adds a learned number to the score, one per bucket of distances, b = attn.buckets [H, buckets]
/// (Raffel et al. 2020, T5): near distances have buckets of their own, farther ones share logarithmically
/// growing buckets. Each layer has its own numbers here; T5's layers share them.
const PositionalEncoding& bucketedPositions();

/// Fewer buckets than these have no logarithm in an encoder: a quarter of them is where it begins.
inline constexpr int leastBuckets = 4, mostBuckets = 4096;

/// How distances fall into buckets. A decoder needs no later keys: all of them share bucket 0 with the token
/// itself, and all buckets are for the past. Otherwise half of them are for later keys; an odd last one stays
/// empty, as in T5.
struct DistanceBuckets {
  int count = 32;      ///< all buckets
  int farthest = 128;  ///< all distances from here on share the last bucket
  bool causal = true;

  /// Which bucket a key `distance` = s - t positions away is in.
  int of(int distance) const;
};

}  // namespace glassformer
