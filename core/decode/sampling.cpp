#include "core/decode/sampling.h"

#include <array>

#include "core/decode/min_p.h"
#include "core/decode/temperature.h"
#include "core/decode/top_k.h"
#include "core/decode/top_p.h"

namespace glassformer {
namespace {

constexpr std::array stages{temperatureStage, topKStage, topPStage, minPStage};

}  // namespace

std::span<const SamplingStage> samplingStages() { return stages; }

Candidates narrowed(Candidates candidates, const StageNumbers& numbers) {
  for (const SamplingStage& stage : stages)
    if (numbers.of(stage) != stage.off) stage.apply(candidates, numbers.of(stage));
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
    const int token = settings.greedy ? all.front().token : draw(narrowed(all, settings.stages), random);
    tokens.push_back(token);
    if (token == stop) break;
  }
  return {tokens.begin() + static_cast<std::ptrdiff_t>(prompt.size()), tokens.end()};
}

}  // namespace glassformer
