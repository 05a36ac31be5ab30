#include "core/decode/top_p.h"

#include "core/decode/decimals.h"

namespace glassformer {

void keepTopP(Candidates& candidates, float p) {
  double reached = 0;
  std::size_t kept = 0;
  while (kept < candidates.size() && (kept == 0 || reached < p)) reached += candidates[kept++].probability;
  candidates.resize(kept);
  renormalize(candidates);
}

std::string outsideTopP(const RankedCandidate& candidate, float p) {
  return "mass " + threeDecimals(candidate.before) + " ≥ p = " + threeDecimals(p);
}

}  // namespace glassformer
