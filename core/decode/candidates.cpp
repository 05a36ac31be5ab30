#include "core/decode/candidates.h"

#include <algorithm>
#include <cmath>

namespace glassformer {

Candidates candidatesOf(std::span<const float> logits, std::span<const int> text) {
  Candidates candidates;
  candidates.reserve(logits.size());
  for (std::size_t i = 0; i < logits.size(); ++i) candidates.push_back({static_cast<int>(i), logits[i], 0});
  for (const int token : text)
    if (token >= 0 && token < static_cast<int>(logits.size()))
      ++candidates[static_cast<std::size_t>(token)].seen;
  rerank(candidates);
  return candidates;
}

void rerank(Candidates& candidates) {
  std::ranges::sort(candidates, [](const Candidate& a, const Candidate& b) {
    return a.logit != b.logit ? a.logit > b.logit : a.token < b.token;
  });
  renormalize(candidates);
}

double probabilityOf(const Candidates& candidates, int token) {
  const auto found = std::ranges::find(candidates, token, &Candidate::token);
  return found == candidates.end() ? 0 : found->probability;
}

double entropyOf(const Candidates& candidates) {
  double entropy = 0;
  for (const Candidate& c : candidates)
    if (c.probability > 0) entropy -= c.probability * std::log(c.probability);
  return entropy;
}

void renormalize(Candidates& candidates) {
  double sum = 0;
  for (Candidate& c : candidates)
    sum += c.probability = std::exp(static_cast<double>(c.logit) - candidates.front().logit);
  for (Candidate& c : candidates) c.probability /= sum;
}

}  // namespace glassformer
