#include "app/scene/influence_scene.h"

#include "app/scene/influence/layouts.h"

namespace glassformer {

Scene influenceScene(const SceneInput& input) {
  if (!input.snapshot.hasTrace() || !input.snapshot.config)
    return emptyScene(input, "No prediction yet",
                      input.snapshot.error.empty() ? "Write a text on the left." : input.snapshot.error);
  InfluenceView view(input);
  const float margin = view.scene.size.x < 800 ? 16.0f : 24.0f;
  const Box area = Box{0, 0, view.scene.size.x, view.scene.size.y}.inset(margin);
  for (const InfluenceLayoutEntry& entry : influenceLayouts())
    if (entry.layout == view.settings.layout) entry.draw(view, area);
  return std::move(view.scene);
}

}  // namespace glassformer
