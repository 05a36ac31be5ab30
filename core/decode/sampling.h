#pragma once
#include <span>

#include "core/decode/next_token.h"
#include "core/decode/sampling_stage.h"
#include "core/random.h"

namespace glassformer {

/// How the next token is chosen from its candidates.
struct SamplingSettings {
  bool greedy = false;  ///< always the most probable; the rest is ignored
  StageNumbers stages;
  std::uint64_t seed = 1;
};

/// Every stage, in the order in which they act.
std::span<const SamplingStage> samplingStages();

/// The candidates that remain after all stages that are not off.
Candidates narrowed(Candidates candidates, const StageNumbers& stages);
/// One token, drawn by probability.
int draw(const Candidates& candidates, Random& random);

/// Continues `prompt` by up to `count` tokens; stops after `stop` (the end of the text; -1: never) and at the
/// context. Returns the new tokens.
std::vector<int> generate(const NextTokenLogits& logits, std::span<const int> prompt, int count,
                          const SamplingSettings& settings, int context, int stop = -1);

}  // namespace glassformer
