#pragma once
#include <cstdint>
#include <memory>

#include "core/train/training_task.h"

namespace glassformer {

/// The most tokens of a text that they are trained on.
inline constexpr int longestInTraining = 24;

/// The built-in models `positions/...`: repeats (see repeats.h) of at most 24 tokens in training, and
/// measured at 24, 48 and 96 tokens, to see what a positional encoding does beyond the length it was trained
/// at. `steps` 0: as they ship.
std::shared_ptr<const TrainingTask> positionsTask(std::uint64_t seed, int steps);

/// The share of right letters where so many of them are said again, over held-out texts. The watch counts
/// them.
double shareOfRepeats(const std::shared_ptr<const Transformer>& model, const Tokenizer& tokenizer,
                      int letters, std::uint64_t seed, int texts, int threads = 2,
                      const ProgressCallback& watch = noProgress);

/// The share of right letters on repeats of 24, 48 and 96 tokens. The watch counts the repeats.
std::vector<double> extrapolation(const std::shared_ptr<const Transformer>& model, const Tokenizer& tokenizer,
                                  std::uint64_t seed, int texts, int threads = 2,
                                  const ProgressCallback& watch = noProgress);

}  // namespace glassformer
