#include "core/decode/min_p.h"

#include <algorithm>

#include "core/decode/decimals.h"

namespace glassformer {

void keepMinP(Candidates& candidates, float p) {
  const double least = static_cast<double>(p) * candidates.front().probability;
  const auto improbable =
      std::ranges::find_if(candidates, [&](const Candidate& c) { return c.probability < least; });
  candidates.erase(improbable, candidates.end());
  renormalize(candidates);
}

std::string belowMinP(const RankedCandidate& candidate, float p) {
  return threeDecimals(candidate.probability) + " < p · max = " + threeDecimals(p) + " · " +
         threeDecimals(candidate.largest);
}

}  // namespace glassformer
