#include "app/drawing/view_header.h"

namespace glassformer {

namespace {

// In two lines where one is too short even for choices close together.
void addPicturesBelow(Scene& scene, const SceneInput& input, Box& area, const std::vector<Choice>& pictures) {
  const bool fits = leastWidthOf(input, pictures) <= area.width;
  const auto middle = pictures.begin() + static_cast<std::ptrdiff_t>(fits ? 0 : pictures.size() / 2);
  const auto addLine = [&](std::vector<Choice> choices) {
    const Box line = area.takeTop(Theme::control);
    addChoices(scene, input, {line.right(), line.y}, choices, area.width);
  };
  if (!fits) addLine({pictures.begin(), middle}), area.takeTop(4);
  addLine({middle, pictures.end()});
}

}  // namespace

void addViewTitle(Scene& scene, const SceneInput& input, Box& area, const std::string& title,
                  const std::vector<Choice>& pictures) {
  constexpr float gap = 16;
  const auto fits = [&](float type, float width) {
    return input.metrics.width(title, FontFace::Strong, type) <= width;
  };
  const float beside = area.width - (input.still ? 0 : widthOf(input, pictures)) - gap;
  const bool below = !input.still && !fits(Theme::body, beside);
  const Box line = area.takeTop(Theme::control);
  const float width = below ? area.width : beside,
              type = fits(Theme::title, width) ? Theme::title : Theme::body;
  addText(scene, {line.x, line.center().y}, title, {FontFace::Strong, type, input.theme.text}).maxWidth =
      width;
  if (below)
    addPicturesBelow(scene, input, area, pictures);
  else
    addChoices(scene, input, {line.right(), line.y}, pictures, area.width);
}

bool needsOwnLine(const SceneInput& input, const std::string& about, FontFace face,
                  const std::vector<std::vector<Choice>>& choices, float room) {
  const float width = input.metrics.width(about, face, Theme::small);
  float beside = 0;
  for (const auto& group : choices)
    if (!group.empty()) beside += widthOf(input, group) + 8;
  return !about.empty() && !input.still && width > room - beside - 8 && width <= room && beside > 0;
}

void addViewHeader(Scene& scene, const SceneInput& input, Box& area, const ViewHeader& header) {
  const Theme& theme = input.theme;
  scene.title = header.title, scene.about = header.about;
  addViewTitle(scene, input, area, header.title, header.pictures);
  const bool above = needsOwnLine(input, header.about, header.aboutFace, header.choices, area.width);
  if (above) {
    const Box line = area.takeTop(24);
    addText(scene, {line.x, line.center().y + 4}, header.about,
            {header.aboutFace, Theme::small, theme.quiet});
  }
  const Box box = area.takeTop(Theme::control + 16);
  float left = box.right();
  const float y = box.y + 8;
  for (auto group = header.choices.rbegin(); group != header.choices.rend(); ++group)
    if (!group->empty()) left = addChoices(scene, input, {left, y}, *group).x - 8;
  if (above) return;
  addText(scene, {box.x, y + (input.still ? 8 : Theme::control / 2)}, header.about,
          {header.aboutFace, Theme::small, theme.quiet})
      .maxWidth = left - box.x - 8;
}

}  // namespace glassformer
