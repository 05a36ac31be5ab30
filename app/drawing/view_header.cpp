#include "app/drawing/view_header.h"

#include <algorithm>

namespace glassformer {

namespace {

using Choices = std::vector<Choice>;

// The pictures in this many lines, about as many in each; nothing where one of the lines is too long.
std::vector<Choices> inLines(const SceneInput& input, const Choices& pictures, std::size_t count,
                             float width) {
  std::vector<Choices> lines;
  const auto at = [&](std::size_t i) {
    return pictures.begin() + static_cast<std::ptrdiff_t>(pictures.size() * i / count);
  };
  for (std::size_t i = 0; i < count; ++i) {
    lines.emplace_back(at(i), at(i + 1));
    if (leastWidthOf(input, lines.back()) > width && pictures.size() > count) return {};
  }
  return lines;
}

// Of pictures that need more than these lines as many as stand beside the title: half of them, or fewer, so
// that the others fit; none where they do not.
std::size_t countBeside(const SceneInput& input, const Choices& pictures, float beside, std::size_t lines,
                        float width) {
  for (std::size_t count = pictures.size() / 2; count > 1; --count) {
    const auto middle = pictures.begin() + static_cast<std::ptrdiff_t>(count);
    if (inLines(input, {middle, pictures.end()}, lines, width).empty()) return 0;
    if (leastWidthOf(input, {pictures.begin(), middle}) <= beside) return count;
  }
  return 0;
}

}  // namespace

namespace {

// All these at the right; returns the frame of the last line.
Box addLinesOf(Scene& scene, const SceneInput& input, Box& area, const Choices& pictures) {
  std::size_t count = 1;
  while (inLines(input, pictures, count, area.width).empty()) ++count;
  Box last;
  for (const Choices& choices : inLines(input, pictures, count, area.width)) {
    if (last.width > 0) area.takeTop(4);
    const Box line = area.takeTop(Theme::control);
    last = addChoices(scene, input, {line.right(), line.y}, choices, area.width);
  }
  return last;
}

// What can be chosen inside the group of pictures that is on.
Choices membersOn(const Choices& pictures) {
  const auto on = std::ranges::find_if(pictures, &Choice::on);
  return on == pictures.end() ? Choices() : on->members;
}

void addMembers(Scene& scene, const SceneInput& input, Box& area, const Choices& pictures) {
  const Choices members = membersOn(pictures);
  if (members.empty() || input.isStill()) return;
  area.takeTop(4);
  const Box line = area.takeTop(Theme::control);
  addChoices(scene, input, {line.right(), line.y}, members, area.width);
}

}  // namespace

Box addPictureLines(Scene& scene, const SceneInput& input, Box& area) {
  return addLinesOf(scene, input, area, {input.pictures.begin(), input.pictures.end()});
}

void addViewTitle(Scene& scene, const SceneInput& input, Box& area, const std::string& title) {
  const Choices pictures(input.pictures.begin(), input.pictures.end());
  scene.title = title;
  if (input.isHeadedApart()) {
    scene.choices.pictures = pictures;
    if (const Choices members = membersOn(pictures); !members.empty())
      scene.choices.groups.insert(scene.choices.groups.begin(), members);
    return;
  }
  constexpr float gap = 16;
  const auto widthAs = [&](float type) { return input.metrics.width(title, FontFace::Strong, type); };
  const float most = area.width - (input.isStill() ? 0 : leastWidthOf(input, pictures)) - gap;
  const bool fitsBeside = input.isStill() || widthAs(Theme::body) <= most;
  const float width = fitsBeside ? most : area.width;
  float type = widthAs(Theme::title) <= width ? Theme::title : Theme::body;
  // Where all are more than a line, as many as this are beside the title, in small letters if that saves one.
  std::size_t first = 0;
  const auto beside = [&](float as, std::size_t lines) {
    return countBeside(input, pictures, area.width - widthAs(as) - gap, lines, area.width);
  };
  for (std::size_t count = 1; !fitsBeside && first == 0; ++count) {
    if (!inLines(input, pictures, count, area.width).empty()) break;
    first = beside(type, count);
    if (first == 0) first = beside(Theme::body, count), type = first > 0 ? Theme::body : type;
  }
  const Box line = area.takeTop(Theme::control);
  addText(scene, {line.x, line.center().y}, title, {FontFace::Strong, type, input.theme.text}).maxWidth =
      width;
  const auto middle = pictures.begin() + static_cast<std::ptrdiff_t>(fitsBeside ? pictures.size() : first);
  addChoices(scene, input, {line.right(), line.y}, {pictures.begin(), middle},
             area.width - widthAs(type) - gap);
  if (!fitsBeside) {
    if (first > 0) area.takeTop(4);
    addLinesOf(scene, input, area, {middle, pictures.end()});
  }
  addMembers(scene, input, area, pictures);
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

Box addChoiceGroups(Scene& scene, const SceneInput& input, const Box& row,
                    const std::vector<std::vector<Choice>>& groups) {
  const float closer = closerBy(input, groups, row.width);
  Box frame{row.right(), row.y, 0, row.height};
  for (auto group = groups.rbegin(); group != groups.rend(); ++group) {
    if (group->empty()) continue;
    const float most = widthOf(input, *group) - closer * static_cast<float>(group->size());
    frame = addChoices(scene, input, {frame.x - (frame.width > 0 ? 8.0f : 0.0f), row.y}, *group, most);
  }
  return frame;
}

using ChoiceGroups = std::vector<std::vector<Choice>>;

// Groups that one line has no room for, even close together, in several: each line has as many as fit.
static std::vector<ChoiceGroups> linesOf(const SceneInput& input, const ChoiceGroups& groups, float room) {
  std::vector<ChoiceGroups> lines(1);
  float width = 0;
  for (const auto& group : groups) {
    if (group.empty()) continue;
    const float own = leastWidthOf(input, group) + 8;
    if (width > 0 && width + own - 8 > room) lines.emplace_back(), width = 0;
    lines.back().push_back(group), width += own;
  }
  return lines;
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
  addViewTitle(scene, input, area, header.title);
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
  const std::vector<ChoiceGroups> lines = linesOf(input, header.choices, area.width);
  for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
    const Box line = area.takeTop(Theme::control + 8);
    addChoiceGroups(scene, input, {line.x, line.y + 8, line.width, Theme::control}, lines[i]);
  }
  const Box box = area.takeTop(Theme::control + 16);
  const float y = box.y + 8;
  const Box frame = addChoiceGroups(scene, input, {box.x, y, box.width, Theme::control}, lines.back());
  const float left = frame.width > 0 ? frame.x - 8 : box.right();
  if (above || isBesideOwn) return;
  addText(scene, {box.x, y + (input.isStill() ? 8 : Theme::control / 2)}, header.about, style).maxWidth =
      left - box.x - 8;
}

}  // namespace glassformer
