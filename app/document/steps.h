#pragma once
#include <string>
#include <vector>

#include "core/model/config.h"

namespace glassformer {

/// One stop of the layer stepper: a named tensor of the forward pass, in the order in which they come about.
struct Step {
  std::string title;     ///< "Softmax"
  std::string tensor;    ///< "blocks.0.attn.hook_pattern"; "lens.scores" stands for the selected head's
  int layer = -1;        ///< -1: before the first or after the last block
  bool perHead = false;  ///< one plane per head: the stage shows the selected one
};

/// embed, positions, sum; per block: norm, queries, keys, values, scores, mask, softmax, weighted values,
/// output, add, norm, hidden layer, MLP, add; final norm, logits.
std::vector<Step> stepsOf(const ModelConfig& config);

/// "Block 2 · Softmax"
std::string fullTitle(const Step& step);

/// The tensor a step shows; scores before the mask are measured for one head at a time and named after it.
std::string tensorOf(const Step& step, int head);

}  // namespace glassformer
