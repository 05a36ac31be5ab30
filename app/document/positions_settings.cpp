#include "app/document/positions_settings.h"

#include <algorithm>

namespace glassformer {

std::vector<int> shownPairs(const PositionsSettings& settings, int width) {
  const int count = width / 2;
  std::vector<int> pairs;
  for (const int pair : settings.pairs)
    if (pair >= 0 && pair < count && static_cast<int>(pairs.size()) < mostPairs) pairs.push_back(pair);
  if (!pairs.empty()) return pairs;
  for (const int pair : {0, count / 8, count / 4, count / 2})
    if (pair < count && (pairs.empty() || pair > pairs.back())) pairs.push_back(pair);
  return pairs;
}

int shownDistance(const PositionsSettings& settings, int context) {
  return std::clamp(settings.distance, 1, std::max(1, context - 1));
}

}  // namespace glassformer
