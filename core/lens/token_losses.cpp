#include "core/lens/token_losses.h"

#include <algorithm>

#include "core/log_sum_exp.h"

namespace glassformer {

double TokenLosses::loss(const CountedTokens& counted) const {
  double sum = 0;
  for (std::size_t t = 0; t < logProbability.size(); ++t)
    if (counts(counted, t)) sum -= static_cast<double>(logProbability[t]);
  return sum;
}

int countedOf(const CountedTokens& counted, int tokens) {
  return counted.empty() ? tokens : static_cast<int>(std::ranges::count(counted, true));
}

TokenLosses tokenLossesOf(const Trace& trace) {
  const TensorView logits = trace["logits"];
  TokenLosses all;
  for (int t = 0; t + 1 < trace.tokenCount(); ++t) {
    const std::span row(&logits(t, 0), static_cast<std::size_t>(logits.extent[1]));
    const float next = row[static_cast<std::size_t>(trace.tokens()[static_cast<std::size_t>(t) + 1])];
    all.logProbability.push_back(static_cast<float>(next - logSumExp(row)));
    all.logit.push_back(next);
    all.likeliest.push_back(static_cast<int>(std::ranges::max_element(row) - row.begin()));
  }
  return all;
}

int agreeing(const TokenLosses& a, const TokenLosses& b, const CountedTokens& counted) {
  int same = 0;
  for (std::size_t t = 0; t < a.likeliest.size(); ++t)
    same += counts(counted, t) && a.likeliest[t] == b.likeliest[t] ? 1 : 0;
  return same;
}

}  // namespace glassformer
