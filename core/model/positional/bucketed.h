#pragma once
#include "core/model/positional/positional_encoding.h"

namespace glassformer {

/// Every head adds a learned number to the score, one per bucket of distances, b = attn.buckets [H, 32]
/// (Raffel et al. 2020, T5): near distances have buckets of their own, farther ones share logarithmically
/// growing buckets. Each layer has its own numbers here; T5's layers share them.
const PositionalEncoding& bucketedPositions();

/// Which of the 32 buckets a key `distance` = s - t positions away is in. A decoder needs no later keys:
/// all of them share bucket 0 with the token itself, and the 32 buckets are for the past. Otherwise half of
/// them are for later keys.
int distanceBucket(int distance, bool causal, int farthest);

}  // namespace glassformer
