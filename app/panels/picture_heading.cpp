#include "app/panels/picture_heading.h"

namespace glassformer {

PictureHeading headingOfBoth(const PictureHeading& mine, const PictureHeading& other, const char* name) {
  PictureHeading both = mine;
  if (mine.title != other.title) both.title = name;
  if (mine.about != other.about) both.about.clear();
  return both;
}

std::vector<ChoiceStrip::Group> groupsOf(const PictureHeading& heading) {
  std::vector<ChoiceStrip::Group> groups{heading.choices.pictures};
  groups.insert(groups.end(), heading.choices.groups.begin(), heading.choices.groups.end());
  std::erase_if(groups, [](const auto& group) { return group.empty(); });
  return groups;
}

void showPictureTitle(const Ui& ui, Box row, const PictureHeading& heading) {
  const ScreenMetrics metrics = ui.metrics();
  const float title = metrics.width(heading.title, FontFace::Strong, Theme::title);
  ui.drawText({row.x, row.center().y}, heading.title, {FontFace::Strong, Theme::title, ui.theme.text},
              Align::Start, row.width);
  const std::string& about = heading.about;
  const float room = row.width - title - 24;
  const FontFace face = about.find('=') == std::string::npos ? FontFace::Ui : FontFace::Mono;
  const float type = metrics.width(about, face, Theme::body) <= room ? Theme::body : Theme::small;
  if (room > 64)
    ui.drawText({row.right(), row.center().y}, about, {face, type, ui.theme.quiet}, Align::End, room);
}

}  // namespace glassformer
