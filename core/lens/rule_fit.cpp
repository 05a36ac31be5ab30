#include "core/lens/rule_fit.h"

#include <algorithm>
#include <cmath>

namespace glassformer {

std::vector<float> rowAgreement(const TensorView& attention, const TensorView& pattern) {
  std::vector<float> shared(static_cast<std::size_t>(pattern.extent[0]));
  for (int t = 0; t < pattern.extent[0]; ++t)
    for (int s = 0; s < pattern.extent[1]; ++s)
      shared[static_cast<std::size_t>(t)] += std::min(attention(t, s), pattern(t, s));
  return shared;
}

TextAgreement agreementOn(const RuleContext& over, const TensorView& attention, const TensorView& pattern) {
  const std::vector<float> shared = rowAgreement(attention, pattern);
  TextAgreement text;
  double sum = 0, named = 0;
  float least = 2;
  for (int t = 0; t < over.queryCount(); ++t) {
    if (!over.hasChoice(t)) continue;
    ++text.choices;
    float said = 0;
    for (int s = 0; s < over.keyCount(); ++s)
      if (pattern(t, s) > 0) said += pattern(t, s), named += attention(t, s);
    if (said == 0) continue;
    const float row = shared[static_cast<std::size_t>(t)];
    ++text.spoken, sum += row;
    if (row < least) least = row, text.worst = t;
  }
  if (!text.saysAnything()) return text;
  text.agreement = static_cast<float>(sum / text.spoken);
  text.named = static_cast<float>(named / text.spoken);
  return text;
}

// Welford 1962.
void Spread::add(double number) {
  const double before = number - mean_;
  mean_ += before / ++texts_;
  squares_ += before * (number - mean_);
}

void Agreement::add(const TextAgreement& text) {
  spoken_ += text.spoken, choices_ += text.choices;
  if (!text.saysAnything()) return;
  shared_.add(text.agreement), named_.add(text.named);
}

double Spread::deviation() const { return texts_ > 1 ? std::sqrt(squares_ / (texts_ - 1)) : 0; }

int binOf(float agreement) {
  return std::clamp(static_cast<int>(static_cast<double>(agreement) * agreementBins), 0, agreementBins - 1);
}

}  // namespace glassformer
