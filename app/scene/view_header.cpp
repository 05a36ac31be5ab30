#include "app/scene/view_header.h"

namespace glassformer {

void addViewHeader(Scene& scene, const SceneInput& input, Box& area, const ViewHeader& header) {
  const Theme& theme = input.theme;
  const Box box = area.takeTop(2 * Theme::control + 16);
  scene.title = header.title, scene.about = header.about;
  const Box first = addChoices(scene, input, {box.right(), box.y}, header.layouts);
  addText(scene, {box.x, first.center().y}, header.title, {FontFace::Strong, Theme::title, theme.text})
      .maxWidth = first.x - box.x - 16;
  float left = box.right();
  const float y = first.bottom() + 8;
  for (auto group = header.choices.rbegin(); group != header.choices.rend(); ++group)
    if (!group->empty()) left = addChoices(scene, input, {left, y}, *group).x - 8;
  addText(scene, {box.x, y + (input.still ? 8 : Theme::control / 2)}, header.about,
          {header.aboutFace, Theme::small, theme.quiet})
      .maxWidth = left - box.x - 8;
}

}  // namespace glassformer
