#include "core/lens/part_effects.h"

#include <algorithm>
#include <functional>

namespace glassformer {

std::vector<float> lossRises(const TokenLosses& whole, const TokenLosses& without) {
  std::vector<float> rises(whole.logProbability.size());
  std::ranges::transform(whole.logProbability, without.logProbability, rises.begin(), std::minus<>());
  return rises;
}

TextEffect effectOn(const TokenLosses& whole, const TokenLosses& without, const CountedTokens& counted) {
  const std::vector<float> rises = lossRises(whole, without);
  double loss = 0, logit = 0;
  int count = 0, worst = -1;
  for (std::size_t t = 0; t < rises.size(); ++t) {
    if (!counts(counted, t)) continue;
    loss += static_cast<double>(rises[t]);
    logit += static_cast<double>(without.logit[t]) - static_cast<double>(whole.logit[t]);
    if (worst < 0 || rises[t] > rises[static_cast<std::size_t>(worst)]) worst = static_cast<int>(t);
    ++count;
  }
  return {static_cast<float>(loss / count), static_cast<float>(logit / count), worst};
}

void PartEffects::add(int text, const TextEffect& effect) {
  loss_.add(static_cast<double>(effect.loss)), logit_.add(static_cast<double>(effect.logit));
  texts_.push_back({text, effect});
}

std::vector<PartEffects::OfText> PartEffects::strongestFirst(std::size_t most) const {
  std::vector<OfText> all = texts_;
  std::ranges::stable_sort(all, std::greater<>(), [](const OfText& each) { return each.effect.loss; });
  all.resize(std::min(all.size(), most));
  return all;
}

}  // namespace glassformer
