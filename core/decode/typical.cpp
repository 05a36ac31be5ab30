#include "core/decode/typical.h"

#include <algorithm>
#include <cmath>

#include "core/decode/decimals.h"

namespace glassformer {

void keepTypical(Candidates& candidates, float mass) {
  const double entropy = entropyOf(candidates);
  const auto distance = [&](const Candidate& c) { return std::abs(-std::log(c.probability) - entropy); };
  std::ranges::stable_sort(candidates, {}, distance);
  double reached = 0;
  const auto enough = std::ranges::find_if(candidates, [&](const Candidate& c) {
    const bool isEnough = reached >= static_cast<double>(mass);
    reached += c.probability;
    return isEnough;
  });
  candidates.erase(std::max(enough, candidates.begin() + 1), candidates.end());
  rerank(candidates);
}

std::string untypical(const RankedCandidate& candidate, float mass) {
  const double surprise = -std::log(candidate.probability);
  return "|−ln p − H| = " + threeDecimals(std::abs(surprise - candidate.entropy)) + ", nearer ones have " +
         threeDecimals(mass) + "; −ln p = " + threeDecimals(surprise) +
         ", H = " + threeDecimals(candidate.entropy);
}

}  // namespace glassformer
