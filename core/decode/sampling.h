#pragma once
#include <span>
#include <string_view>

#include "core/decode/candidates.h"
#include "core/decode/next_token.h"
#include "core/random.h"

namespace glassformer {

/// How the next token is chosen from its candidates.
struct SamplingSettings {
  bool greedy = false;    ///< always the most probable; the rest is ignored
  float temperature = 1;  ///< > 0
  int topK = 0;           ///< 0: off
  float topP = 1;         ///< 1: off
  std::uint64_t seed = 1;
};

/// One stage of narrowing candidates down, as panels, command line and documentation list it.
struct SamplingStage {
  std::string_view name, meaning;
  bool (*active)(const SamplingSettings&);
  void (*apply)(Candidates&, const SamplingSettings&);
};
/// Every stage, in the order in which they act.
std::span<const SamplingStage> samplingStages();

/// The candidates that remain after all active stages.
Candidates narrowed(Candidates candidates, const SamplingSettings& settings);
/// One token, drawn by probability.
int draw(const Candidates& candidates, Random& random);

/// Continues `prompt` by up to `count` tokens; stops after `stop` (the end of the text; -1: never) and at the
/// context. Returns the new tokens.
std::vector<int> generate(const NextTokenLogits& logits, std::span<const int> prompt, int count,
                          const SamplingSettings& settings, int context, int stop = -1);

}  // namespace glassformer
