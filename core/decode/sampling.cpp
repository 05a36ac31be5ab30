#include "core/decode/sampling.h"

#include <array>

#include "core/decode/temperature.h"
#include "core/decode/top_k.h"
#include "core/decode/top_p.h"

namespace glassformer {
namespace {

constexpr std::array stages{
    SamplingStage{"temperature", "logits divided by it: below 1 sharper, above 1 flatter",
                  [](const SamplingSettings& s) { return s.temperature != 1; },
                  [](Candidates& c, const SamplingSettings& s) { applyTemperature(c, s.temperature); }},
    SamplingStage{"top-k", "only the k most probable tokens",
                  [](const SamplingSettings& s) { return s.topK > 0; },
                  [](Candidates& c, const SamplingSettings& s) { keepTopK(c, s.topK); }},
    SamplingStage{"top-p", "the fewest tokens that hold p of the probability",
                  [](const SamplingSettings& s) { return s.topP < 1; },
                  [](Candidates& c, const SamplingSettings& s) { keepTopP(c, s.topP); }},
};

}  // namespace

std::span<const SamplingStage> samplingStages() { return stages; }

Candidates narrowed(Candidates candidates, const SamplingSettings& settings) {
  for (const SamplingStage& stage : stages)
    if (stage.active(settings)) stage.apply(candidates, settings);
  return candidates;
}

int draw(const Candidates& candidates, Random& random) {
  double u = random.uniform01();
  for (const Candidate& c : candidates)
    if ((u -= c.probability) < 0) return c.token;
  return candidates.back().token;
}

std::vector<int> generate(const NextTokenLogits& logits, std::span<const int> prompt, int count,
                          const SamplingSettings& settings, int context, int stop) {
  std::vector<int> tokens(prompt.begin(), prompt.end());
  Random random(settings.seed);
  for (int i = 0; i < count && static_cast<int>(tokens.size()) < context; ++i) {
    const Candidates all = candidatesOf(logits(tokens));
    const int token = settings.greedy ? all.front().token : draw(narrowed(all, settings), random);
    tokens.push_back(token);
    if (token == stop) break;
  }
  return {tokens.begin() + static_cast<std::ptrdiff_t>(prompt.size()), tokens.end()};
}

}  // namespace glassformer
