#include "core/decode/top_k.h"

namespace glassformer {

void keepTopK(Candidates& candidates, float k) {
  if (k < static_cast<float>(candidates.size())) candidates.resize(static_cast<std::size_t>(k));
  renormalize(candidates);
}

std::string outsideTopK(const RankedCandidate& candidate, float k) {
  return "rank " + std::to_string(candidate.rank + 1) + " > k = " + std::to_string(static_cast<int>(k));
}

}  // namespace glassformer
