#include "app/drawing/view_header.h"

#include <algorithm>

namespace glassformer {

namespace {

using Choices = std::vector<Choice>;

// Of pictures that need more than one line, even close together, as many as stand beside the title: half of
// them, or fewer, so that the others have a line of their own; none where these do not fit into it either.
std::size_t countBeside(const SceneInput& input, const Choices& pictures, float beside, float line) {
  for (std::size_t count = pictures.size() / 2; count > 1; --count) {
    const auto middle = pictures.begin() + static_cast<std::ptrdiff_t>(count);
    if (leastWidthOf(input, {middle, pictures.end()}) > line) return 0;
    if (leastWidthOf(input, {pictures.begin(), middle}) <= beside) return count;
  }
  return 0;
}

void addPicturesBelow(Scene& scene, const SceneInput& input, Box& area, const Choices& pictures) {
  const Box line = area.takeTop(Theme::control);
  addChoices(scene, input, {line.right(), line.y}, pictures, area.width);
}

}  // namespace

void addViewTitle(Scene& scene, const SceneInput& input, Box& area, const std::string& title,
                  const std::vector<Choice>& pictures) {
  scene.title = title;
  if (input.isHeadedApart()) return void(scene.choices.pictures = pictures);
  constexpr float gap = 16;
  const auto widthAs = [&](float type) { return input.metrics.width(title, FontFace::Strong, type); };
  const float beside = area.width - (input.isStill() ? 0 : widthOf(input, pictures)) - gap;
  const bool fitsBeside = input.isStill() || widthAs(Theme::body) <= beside,
             fitsBelow = leastWidthOf(input, pictures) <= area.width;
  const Box line = area.takeTop(Theme::control);
  const float width = fitsBeside ? beside : area.width,
              type = widthAs(Theme::title) <= width ? Theme::title : Theme::body;
  addText(scene, {line.x, line.center().y}, title, {FontFace::Strong, type, input.theme.text}).maxWidth =
      width;
  if (fitsBeside) {
    addChoices(scene, input, {line.right(), line.y}, pictures, area.width);
    return;
  }
  if (fitsBelow) return addPicturesBelow(scene, input, area, pictures);
  const float left = area.width - widthAs(type) - gap;
  const std::size_t count = countBeside(input, pictures, left, area.width);
  const auto middle = pictures.begin() + static_cast<std::ptrdiff_t>(count > 0 ? count : pictures.size() / 2);
  const Choices first(pictures.begin(), middle), rest(middle, pictures.end());
  if (count > 0)
    addChoices(scene, input, {line.right(), line.y}, first, left);
  else
    addPicturesBelow(scene, input, area, first);
  area.takeTop(4);
  addPicturesBelow(scene, input, area, rest);
}

bool needsOwnLine(const SceneInput& input, const std::string& about, FontFace face,
                  const std::vector<std::vector<Choice>>& choices, float room) {
  const float width = input.metrics.width(about, face, Theme::small);
  float beside = 0;
  for (const auto& group : choices)
    if (!group.empty()) beside += widthOf(input, group) + 8;
  return !about.empty() && !input.isStill() && width > room - beside - 8;
}

// By how much each choice is to be narrower, where all together need more than there is.
static float closerBy(const SceneInput& input, const std::vector<std::vector<Choice>>& choices, float room) {
  float needed = -8;
  std::size_t count = 0;
  for (const auto& group : choices)
    if (!group.empty()) needed += widthOf(input, group) + 8, count += group.size();
  return needed > room ? (needed - room) / static_cast<float>(count) : 0;
}

// Shown apart from the picture, which has all of the room.
static void present(Scene& scene, const ViewHeader& header) {
  auto& groups = scene.choices.groups;
  if (!header.ownLine.empty()) groups.push_back(header.ownLine);
  for (const auto& group : header.choices)
    if (!group.empty()) groups.push_back(group);
}

void addViewHeader(Scene& scene, const SceneInput& input, Box& area, const ViewHeader& header) {
  const Theme& theme = input.theme;
  scene.about = header.about;
  addViewTitle(scene, input, area, header.title, header.pictures);
  if (input.isHeadedApart()) return present(scene, header);
  const bool hasOwnLine = !header.ownLine.empty() && !input.isStill();
  const bool isBesideOwn =
      hasOwnLine && !needsOwnLine(input, header.about, header.aboutFace, {header.ownLine}, area.width);
  const bool above =
      !isBesideOwn && needsOwnLine(input, header.about, header.aboutFace, header.choices, area.width);
  const TextStyle style{header.aboutFace, Theme::small, theme.quiet};
  if (above) {
    area.takeTop(4);
    for (const std::string& words :
         wrapped(input.metrics, header.about, style.face, style.size, area.width, 2)) {
      const Box line = area.takeTop(20);
      addText(scene, {line.x, line.center().y}, words, style);
    }
  }
  if (hasOwnLine) {
    const Box line = area.takeTop(Theme::control + 8);
    const float left = addChoices(scene, input, {line.right(), line.y + 8}, header.ownLine, line.width).x;
    if (isBesideOwn)
      addText(scene, {line.x, line.y + 8 + Theme::control / 2}, header.about, style).maxWidth =
          left - line.x - 8;
  }
  const bool hasChoices =
      std::ranges::any_of(header.choices, [](const auto& group) { return !group.empty(); });
  if (above && !hasChoices) {
    area.takeTop(8);
    return;
  }
  const Box box = area.takeTop(Theme::control + 16);
  float left = box.right(), closer = closerBy(input, header.choices, box.width);
  const float y = box.y + 8;
  for (auto group = header.choices.rbegin(); group != header.choices.rend(); ++group) {
    const float most = widthOf(input, *group) - closer * static_cast<float>(group->size());
    if (!group->empty()) left = addChoices(scene, input, {left, y}, *group, most).x - 8;
  }
  if (above || isBesideOwn) return;
  addText(scene, {box.x, y + (input.isStill() ? 8 : Theme::control / 2)}, header.about, style).maxWidth =
      left - box.x - 8;
}

}  // namespace glassformer
