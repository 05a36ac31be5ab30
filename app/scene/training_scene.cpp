#include "app/scene/training_scene.h"

#include "app/scene/training/layouts.h"

namespace glassformer {

Scene trainingScene(const SceneInput& input) {
  if (!input.snapshot.run || !input.snapshot.runSide)
    return emptyScene(input, "Nothing is being trained",
                      "Choose a task with “New run” below, and every view follows what is learned.");
  TrainingView view(input);
  const float margin = view.scene.size.x < 800 ? 16.0f : 24.0f;
  const Box area = Box{0, 0, view.scene.size.x, view.scene.size.y}.inset(margin);
  for (const TrainingLayoutEntry& entry : trainingLayouts())
    if (entry.layout == view.settings.layout) entry.draw(view, area);
  return std::move(view.scene);
}

}  // namespace glassformer
