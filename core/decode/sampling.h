#pragma once
#include <span>
#include <vector>

#include "core/decode/constraint_check.h"
#include "core/decode/next_token.h"
#include "core/decode/sampling_stage.h"
#include "core/random.h"
#include "core/text/text_ends.h"

namespace glassformer {

/// How the next token is chosen from its candidates.
struct SamplingSettings {
  bool greedy = false;  ///< always the most probable; the rest is ignored
  StageNumbers stages;
  std::uint64_t seed = 1;
  /// Numbers of the seed that were drawn before the prompt was where it is now: a text that is gone on with
  /// token by token becomes the one that it becomes at once.
  int drawn = 0;
  ConstraintCheck constraint = {};  ///< what the continuation has to be
};

/// Every stage, in the order in which they usually act.
std::span<const SamplingStage> samplingStages();
const SamplingStage* findSamplingStage(std::string_view id);
/// Every stage, in the order that was chosen; those that it does not name follow as usual, and
/// none acts twice.
std::vector<const SamplingStage*> stagesInOrder(const StageNumbers& numbers);
/// The same with one stage at another place of the order, counted from 0.
StageNumbers moved(StageNumbers numbers, const SamplingStage& stage, int place);

/// The numbers of a seed behind the first `drawn` ones.
Random randomBehind(std::uint64_t seed, int drawn);
/// The candidates that remain after all stages that are not off.
Candidates narrowed(Candidates candidates, const StageNumbers& stages);
/// What the next token is drawn from: the candidates behind a text, of which `added` lies behind the prompt,
/// after the constraint and the stages. Greedy decoding leaves the most probable one. Empty: nothing fits.
Candidates drawnFrom(std::span<const float> logits, std::span<const int> text, std::span<const int> added,
                     const SamplingSettings& settings);
/// The token at which the cumulated probability passes u, from 0 to 1.
int drawnBy(double u, const Candidates& candidates);
/// One token, drawn by probability.
int draw(const Candidates& candidates, Random& random);

/// Whether a text is to go on behind these new tokens.
using GoesOn = std::function<bool(std::span<const int> added)>;
/// Continues `prompt` by up to `count` tokens; stops after one of `stop` (ends of the text), at the
/// context, where nothing fits the constraint, and where it is not to go on. Returns the new tokens.
std::vector<int> generate(const NextTokenLogits& logits, std::span<const int> prompt, int count,
                          const SamplingSettings& settings, int context, const TextEnds& stop = {},
                          const GoesOn& goesOn = {});

}  // namespace glassformer
