#include "app/scene/landscape_scene.h"

#include "app/scene/landscape/map_layout.h"
#include "app/scene/landscape/surface_layout.h"

namespace glassformer {

Scene landscapeScene(const SceneInput& input) {
  const Snapshot& shown = input.snapshot;
  if (!shown.config)
    return emptyScene(input, "No model yet", shown.error.empty() ? "Opening …" : shown.error);
  if (!shown.landscapeMissing.empty()) return emptyScene(input, "No landscape yet", shown.landscapeMissing);
  LandscapeView view(input);
  const float margin = view.scene.size.x < 800 ? 16.0f : 24.0f;
  Box area = Box{0, 0, view.scene.size.x, view.scene.size.y}.inset(margin);
  addLandscapeHeader(view, area);
  addLandscapeFooter(view, area);
  if (!view.isThere())
    addText(view.scene, area.center(), waitingWords(input), {FontFace::Ui, Theme::small, view.theme.quiet},
            Align::Middle);
  else if (view.isMap())
    drawMapLayout(view, area);
  else
    drawSurfaceLayout(view, area);
  return std::move(view.scene);
}

}  // namespace glassformer
