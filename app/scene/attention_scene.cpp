#include "app/scene/attention_scene.h"

#include <algorithm>

#include "app/document/steps.h"
#include "app/scene/attention/layouts.h"

namespace glassformer {

namespace {

// The first step of what stands in attention's place, in the selected block.
std::string mixingStep(const SceneInput& input) {
  const auto steps = stepsOf(*input.snapshot.config);
  const auto found = std::find_if(steps.begin(), steps.end(), [&](const Step& step) {
    const bool mixes = step.part == StepPart::Recurrence || step.part == StepPart::Convolution;
    return mixes && step.layer == input.layer();
  });
  return nameOf(*found);
}

Scene withoutAttention(const SceneInput& input) {
  const bool recurs = input.snapshot.config->mixing == Mixing::Recurrence;
  Scene scene =
      emptyScene(input, "This model has no attention",
                 recurs ? "A state goes from token to token." : "Every token sees the few before it.");
  const std::vector<Choice> elsewhere{
      {"Its steps",
       recurs ? "what each token brings to the state, and what is carried on"
              : "what each tap takes from the tokens before",
       false, commands::setStep(mixingStep(input))},
      {"What it adds", "to the residual stream, block by block", false, commands::setView("residual")}};
  const Point middle{input.size.x / 2, input.size.y / 2};
  addChoices(scene, input, {middle.x + widthOf(input, elsewhere) / 2, middle.y + 40}, elsewhere);
  return scene;
}

}  // namespace

Scene attentionScene(const SceneInput& input) {
  if (!input.snapshot.hasTrace() || !input.snapshot.config)
    return emptyScene(input, "No forward pass yet",
                      input.snapshot.error.empty() ? "Write a text on the left." : input.snapshot.error);
  if (!input.snapshot.config->attends()) return withoutAttention(input);
  AttentionView view(input);
  const float margin = view.scene.size.x < 800 ? 16.0f : 24.0f;
  const Box area = Box{0, 0, view.scene.size.x, view.scene.size.y}.inset(margin);
  for (const AttentionLayoutEntry& entry : attentionLayouts())
    if (entry.layout == view.settings.layout) entry.draw(view, area);
  return std::move(view.scene);
}

}  // namespace glassformer
