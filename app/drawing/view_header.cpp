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

}  // namespace

namespace {

// In as few lines as it takes.
std::vector<Choices> pictureLines(const SceneInput& input, const Choices& pictures, float width) {
  for (std::size_t count = 1;; ++count)
    if (auto lines = inLines(input, pictures, count, width); !lines.empty()) return lines;
}

// Each line at the right; returns the frame of the last one.
Box addLines(Scene& scene, const SceneInput& input, Box& area, const std::vector<Choices>& lines) {
  Box last;
  for (const Choices& choices : lines) {
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

}  // namespace

Box addPictureLines(Scene& scene, const SceneInput& input, Box& area) {
  return addLines(scene, input, area,
                  pictureLines(input, {input.pictures.begin(), input.pictures.end()}, area.width));
}

void addViewTitle(Scene& scene, const SceneInput& input, Box& area, const std::string& title) {
  const Choices pictures(input.pictures.begin(), input.pictures.end()), members = membersOn(pictures);
  scene.title = title;
  if (input.isHeadedApart()) {
    scene.choices.pictures = pictures;
    if (!members.empty()) scene.choices.groups.insert(scene.choices.groups.begin(), members);
    return;
  }
  constexpr float gap = 16;
  const auto widthAs = [&](float type) { return input.metrics.width(title, FontFace::Strong, type); };
  const auto roomBeside = [&](const Choices& choices) {
    return area.width - (input.isStill() || choices.empty() ? 0 : leastWidthOf(input, choices) + gap);
  };
  const auto fitsBeside = [&](const Choices& choices) {
    return input.isStill() || widthAs(Theme::body) <= roomBeside(choices);
  };
  const bool isOneLine = fitsBeside(pictures);
  Choices beside = isOneLine ? pictures : Choices();
  if (!isOneLine && !pictures.empty()) {
    std::vector<Choices> lines = pictureLines(input, pictures, area.width);
    if (lines.size() == 2) {  // as many as fit in one, and the others beside the title
      auto middle = pictures.end();
      while (leastWidthOf(input, {pictures.begin(), middle}) > area.width) --middle;
      if (const Choices others(middle, pictures.end()); fitsBeside(others))
        beside = others, lines = {{pictures.begin(), middle}};
    }
    addLines(scene, input, area, lines);
    area.takeTop(4);
  }
  const bool areMembersBeside = beside.empty() && fitsBeside(members);
  if (areMembersBeside) beside = members;
  const float room = roomBeside(beside);
  const Box line = area.takeTop(Theme::control);
  addText(scene, {line.x, line.center().y}, title,
          {FontFace::Strong, widthAs(Theme::title) <= room ? Theme::title : Theme::body, input.theme.text})
      .maxWidth = room;
  const float most = std::max(area.width - widthAs(Theme::title) - gap, leastWidthOf(input, beside));
  addChoices(scene, input, {line.right(), line.y}, beside, most);
  if (areMembersBeside || members.empty() || input.isStill()) return;
  area.takeTop(4);
  addLines(scene, input, area, {members});
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
