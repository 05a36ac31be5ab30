#include "core/lens/token_losses.h"

#include <algorithm>
#include <cmath>

namespace glassformer {

double TokenLosses::loss() const {
  double sum = 0;
  for (const float p : logProbability) sum -= static_cast<double>(p);
  return sum;
}

TokenLosses tokenLossesOf(const Trace& trace) {
  const TensorView logits = trace["logits"];
  TokenLosses all;
  for (int t = 0; t + 1 < trace.tokenCount(); ++t) {
    const float* row = &logits(t, 0);
    const float* most = std::max_element(row, row + logits.extent[1]);
    double sum = 0;
    for (int v = 0; v < logits.extent[1]; ++v) sum += std::exp(static_cast<double>(row[v]) - *most);
    const float next = row[trace.tokens()[static_cast<std::size_t>(t) + 1]];
    all.logProbability.push_back(static_cast<float>(next - *most - std::log(sum)));
    all.logit.push_back(next);
    all.likeliest.push_back(static_cast<int>(most - row));
  }
  return all;
}

int agreeing(const TokenLosses& a, const TokenLosses& b) {
  int same = 0;
  for (std::size_t t = 0; t < a.likeliest.size(); ++t) same += a.likeliest[t] == b.likeliest[t] ? 1 : 0;
  return same;
}

}  // namespace glassformer
