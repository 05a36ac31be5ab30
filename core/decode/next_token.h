#pragma once
#include <functional>
#include <span>
#include <vector>

#include "core/model/live_pass.h"

namespace glassformer {

/// What decoding needs of a model: the logits [V] of the token after `tokens` (at least one, at most its
/// context).
using NextTokenLogits = std::function<std::vector<float>(std::span<const int> tokens)>;

/// The last row of a live pass's logits, for a model that has read `source` where it reads one.
NextTokenLogits nextTokenLogits(LivePass& pass, const Interventions& interventions = {},
                                std::span<const int> source = {});

/// log softmax(logits), in double.
std::vector<double> logSoftmax(std::span<const float> logits);

}  // namespace glassformer
