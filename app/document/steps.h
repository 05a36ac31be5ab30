#pragma once
#include <string>
#include <vector>

#include "core/model/point_names.h"
#include "core/model/transformer.h"

namespace glassformer {

/// What a step belongs to: a box of the model's diagram holds steps in a row of the same part.
enum class StepPart {
  Embedding,
  Positions,
  Types,
  Start,
  Norm,
  Attention,
  Recurrence,
  Convolution,
  Mlp,
  Add,
  Head,
  Unembedding,
  Classes
};

/// One stop of the layer stepper: a named tensor of the forward pass, in the order in which they come about.
struct Step {
  std::string title;     ///< "Softmax"
  std::string tensor;    ///< "blocks.0.attn.hook_pattern"; "lens.scores" stands for the selected head's
                         ///< (core/lens/attention_stages.h)
  int layer = -1;        ///< -1: before the first or after the last block
  bool perHead = false;  ///< one plane per head: the stage shows the selected one
  StepPart part = StepPart::Embedding;
  AttentionSite site = AttentionSite::Self;  ///< whose attention, else in which stack

  Stream stream() const { return queriesOf(site); }
};

/// What the model's forward pass records, in its order, but for the scales of norms and for what only
/// repeats another point; and between queries, keys and pattern what is measured of them one operation at a
/// time (core/lens/attention_stages.h): products, scaled, scores, shares before a mask and zeroed by it,
/// heads side by side.
std::vector<Step> stepsOf(const Transformer& model);

/// "Block 2 · Softmax"
std::string fullTitle(const Step& step);

/// What the workspace calls a step: its trace point, "blocks.2.attn.hook_pattern"; of scores that are
/// measured, "blocks.2.attn.scores".
std::string nameOf(const Step& step);
/// Its place among the steps, of which there is at least one: the first where a model has no step of this
/// name. Sessions of earlier days hold the place itself.
int placeOf(const std::string& name, const std::vector<Step>& steps);
/// The one that stands there.
const Step& stepCalled(const std::string& name, const std::vector<Step>& steps);

/// The tensor a step shows; scores before the mask are measured for one head at a time and named after it.
std::string tensorOf(const Step& step, int head);
/// Whether it shows what is measured for one head.
bool isMeasured(const Step& step);

}  // namespace glassformer
