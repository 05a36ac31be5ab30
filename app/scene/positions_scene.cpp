#include "app/scene/positions_scene.h"

#include "app/scene/positions/layouts.h"
#include "core/model/positional/positional_encoding.h"

namespace glassformer {

Scene positionsScene(const SceneInput& input) {
  if (!input.snapshot.config) return emptyScene(input, "No model", input.snapshot.error);
  if (!input.sources().contains("positions.model")) {
    const PositionalEncoding::Description words = input.snapshot.config->positions->description();
    return emptyScene(input, "This model adds no positions to its embeddings",
                      std::string(words.name) + ": " + std::string(words.meaning));
  }
  PositionsView view(input);
  const float margin = view.scene.size.x < 800 ? 16.0f : 24.0f;
  const Box area = Box{0, 0, view.scene.size.x, view.scene.size.y}.inset(margin);
  for (const PositionsLayoutEntry& entry : positionsLayouts())
    if (entry.layout == view.settings.layout) entry.draw(view, area);
  return std::move(view.scene);
}

}  // namespace glassformer
