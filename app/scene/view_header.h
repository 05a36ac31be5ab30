#pragma once
#include <string>
#include <vector>

#include "app/scene/parts.h"

namespace glassformer {

/// The upper part of a view with several layouts: the title and the choice of layouts, below it a line of
/// explanation and the layout's own choices, the last group at the right.
struct ViewHeader {
  std::string title, about;
  std::vector<Choice> layouts;
  std::vector<std::vector<Choice>> choices;
  FontFace aboutFace = FontFace::Ui;
};
/// Takes it off the top of the area. A figure has words only.
void addViewHeader(Scene& scene, const SceneInput& input, Box& area, const ViewHeader& header);

}  // namespace glassformer
