#include "core/lens/recovered_loss.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace glassformer {
namespace {

// What a pass says of every next token: the sum of −ln p of those that come, and the likeliest.
struct Continued {
  double loss = 0;
  std::vector<int> likeliest;
};

Continued continued(const Trace& trace) {
  const TensorView logits = trace["logits"];
  Continued all;
  for (int t = 0; t + 1 < trace.tokenCount(); ++t) {
    const float* row = &logits(t, 0);
    const float* most = std::max_element(row, row + logits.extent[1]);
    double sum = 0;
    for (int v = 0; v < logits.extent[1]; ++v) sum += std::exp(static_cast<double>(row[v]) - *most);
    const int next = trace.tokens()[static_cast<std::size_t>(t) + 1];
    all.loss += std::log(sum) + *most - row[next];
    all.likeliest.push_back(static_cast<int>(most - row));
  }
  return all;
}

int agreeing(const Continued& a, const Continued& b) {
  int same = 0;
  for (std::size_t t = 0; t < a.likeliest.size(); ++t) same += a.likeliest[t] == b.likeliest[t] ? 1 : 0;
  return same;
}

}  // namespace

RecoveredLoss::RecoveredLoss(HeadId head, PatternHypothesis hypothesis,
                             std::shared_ptr<const Wording> wording, const ModelConfig& config)
    : ablation_(patternReplaced(head, "any")), replacement_(patternReplaced(head, hypothesis.text())) {
  ablation_.rule = ruleOf(*PatternHypothesis::read("any"), wording, config, head.site);
  replacement_.rule = ruleOf(std::move(hypothesis), std::move(wording), config, head.site);
}

void RecoveredLoss::add(LivePass& pass, std::span<const int> tokens, std::span<const int> source) {
  if (tokens.size() < 2) return;
  const auto with = [&](const Interventions& changes) {
    return continued(*pass.run(tokens, changes, source));
  };
  const Continued clean = with({}), ablated = with({ablation_}), replaced = with({replacement_});
  clean_ += clean.loss, ablated_ += ablated.loss, replaced_ += replaced.loss;
  kept_ += agreeing(clean, replaced), keptAblated_ += agreeing(clean, ablated);
  tokens_ += static_cast<long long>(tokens.size()) - 1;
  ++texts_;
}

double RecoveredLoss::recovered() const {
  const double worth = ablated() - clean();
  if (worth < leastWorth) return std::numeric_limits<double>::quiet_NaN();
  return (ablated() - replaced()) / worth;
}

std::string whyNoRecoveredLoss(const ModelConfig& config) {
  return config.stack == Stack::EncoderOnly ? "this model fills gaps: it says no next token" : "";
}

}  // namespace glassformer
