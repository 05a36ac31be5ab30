#include "core/decode/candidates.h"

#include <algorithm>
#include <cmath>

namespace glassformer {

Candidates candidatesOf(std::span<const float> logits) {
  Candidates candidates;
  candidates.reserve(logits.size());
  for (std::size_t i = 0; i < logits.size(); ++i) candidates.push_back({static_cast<int>(i), logits[i], 0});
  std::ranges::sort(candidates, [](const Candidate& a, const Candidate& b) {
    return a.logit != b.logit ? a.logit > b.logit : a.token < b.token;
  });
  renormalize(candidates);
  return candidates;
}

void renormalize(Candidates& candidates) {
  double sum = 0;
  for (Candidate& c : candidates)
    sum += c.probability = std::exp(static_cast<double>(c.logit) - candidates.front().logit);
  for (Candidate& c : candidates) c.probability /= sum;
}

}  // namespace glassformer
