#include "core/lens/leaks.h"

#include <algorithm>
#include <cmath>

#include "core/lens/across_changes.h"

namespace glassformer {

namespace {

// Another token of the vocabulary, far from it in the list, that ends no text of several.
int otherThan(int token, const ModelConfig& config) {
  const int V = config.vocabulary;
  const int other = (token + std::max(1, V / 2)) % V;
  return other == config.separator ? (other + 1) % V : other;
}

float furthestApart(const TensorView& a, const TensorView& b) {
  float most = 0;
  for (int v = 0; v < a.extent[0]; ++v) most = std::max(most, std::abs(a(v) - b(v)));
  return most;
}

}  // namespace

bool isMaskedEverywhere(const ModelConfig& config, int t, int s) {
  for (int layer = 0; layer < config.layers; ++layer)
    if (config.ofLayer(layer).mask.allows(t, s)) return false;
  return config.layers > 0;
}

void measureLeaks(const Transformer& ofModel, const Trace& ofText, const Interventions& interventions,
                  TensorSet& measurements, const ProgressCallback& watch) {
  const std::shared_ptr<const Transformer> model(std::shared_ptr<const void>(), &ofModel);  // borrowed
  const std::shared_ptr<const Trace> trace(std::shared_ptr<const void>(), &ofText);
  const int T = trace->tokenCount();
  const auto logitsOf = [&](const std::vector<int>& tokens) {
    return LivePass(model).run(tokens, interventions, trace->source());  // a new one takes nothing over
  };
  const auto changedAt = [whole = trace, model](int s) {
    std::vector<int> tokens = whole->tokens();
    int& changed = tokens[static_cast<std::size_t>(s)];
    changed = otherThan(changed, model->config());
    return tokens;
  };
  const auto whole = logitsOf(trace->tokens());
  Tensor leaks({T, T});
  for (int s = 0; s < T; ++s) {
    if (!watch(s, T)) return;
    const auto other = logitsOf(changedAt(s));
    for (int t = 0; t < T; ++t) leaks(t, s) = furthestApart((*whole)["logits"][t], (*other)["logits"][t]);
  }
  watch(T, T);
  measurements.addAcross(
      {"lens.leaks", "TS", "change of the logits when one token is replaced by another", "max_v |Δz_v|"},
      std::move(leaks), [=](const auto& at) {
        return OpenPasses([=, t = at[0], s = at[1]] {
          return furthestAcross(passAtHand("the pass as it is", trace),
                                passAgain("another token at position " + std::to_string(s), model,
                                          Trace(changedAt(s), trace->source()), interventions),
                                t);
        });
      });
}

}  // namespace glassformer
