#include "core/decode/next_token.h"

#include "core/log_sum_exp.h"

namespace glassformer {

NextTokenLogits nextTokenLogits(LivePass& pass, const Interventions& interventions,
                                std::span<const int> source) {
  return
      [&pass, interventions, read = std::vector(source.begin(), source.end())](std::span<const int> tokens) {
        const auto trace = pass.run(tokens, interventions, read);
        return (*trace)["logits"][trace->tokenCount() - 1].copy();
      };
}

NextTokenLogits KnownAnswers::before(NextTokenLogits model) {
  return [this, model = std::move(model)](std::span<const int> tokens) {
    std::vector<int> text(tokens.begin(), tokens.end());
    if (const auto found = known_.find(text); found != known_.end()) return found->second;
    std::vector<float> logits = model(tokens);
    if (numbers_ + text.size() + logits.size() <= mostNumbers) {
      numbers_ += text.size() + logits.size();
      known_.emplace(std::move(text), logits);
    }
    return logits;
  };
}

std::vector<double> logSoftmax(std::span<const float> logits) {
  const double logSum = logSumExp(logits);
  std::vector<double> result;
  result.reserve(logits.size());
  for (const float x : logits) result.push_back(x - logSum);
  return result;
}

}  // namespace glassformer
