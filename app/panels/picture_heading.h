#pragma once
#include <string>
#include <vector>

#include "app/panels/choice_strip.h"
#include "app/panels/ui.h"

namespace glassformer {

/// What stands apart from a picture, or from two that are compared: title, equation or explanation, choices.
struct PictureHeading {
  std::string title, about;
  PictureChoices choices;
};

/// Of two pictures side by side what both have; where their titles differ, what the picture is called.
PictureHeading headingOfBoth(const PictureHeading& mine, const PictureHeading& other, const char* name);

/// The choices of pictures first; none of the groups is empty.
std::vector<ChoiceStrip::Group> groupsOf(const PictureHeading& heading);

/// The title, with the equation beside it, in letters that fit.
void showPictureTitle(const Ui& ui, Box row, const PictureHeading& heading);

}  // namespace glassformer
