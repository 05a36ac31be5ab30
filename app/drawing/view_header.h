#pragma once
#include <string>
#include <vector>

#include "app/drawing/parts.h"

namespace glassformer {

/// The upper part of a view with several pictures: the title and the choice of pictures, below it a line of
/// explanation and the picture's own choices, the last group at the right. Where it is shown
/// apart it takes nothing off the picture.
struct ViewHeader {
  std::string title, about;
  std::vector<std::vector<Choice>> choices;
  FontFace aboutFace = FontFace::Ui;
  std::vector<Choice> ownLine = {};  ///< more choices, in a line above these and beside the explanation
};
/// The title at the left and the choice of pictures, SceneInput::pictures, at the right; in lines above the
/// title where they need more. The members of the group that is on are beside the title or below. Takes them
/// off the area.
void addViewTitle(Scene& scene, const SceneInput& input, Box& area, const std::string& title);
/// The choice of pictures at the right, in as many lines as it takes; takes them off the area. Returns the
/// frame of the last one.
Box addPictureLines(Scene& scene, const SceneInput& input, Box& area);
/// Whether an explanation would be cut beside the choices: then it has a line of its own, or two.
bool needsOwnLine(const SceneInput& input, const std::string& about, FontFace face,
                  const std::vector<std::vector<Choice>>& choices, float room);
/// Groups of choices in one line, the last at the right, closer together where they need more than the row.
/// Returns the frame of the first; an empty one at the right end where there are none.
Box addChoiceGroups(Scene& scene, const SceneInput& input, const Box& row,
                    const std::vector<std::vector<Choice>>& groups);
/// As high as a header gets, for pictures whose rows say how high they are.
inline float mostHeader(const SceneInput& input) {
  constexpr float threeLines = 720;  // in less the choice of pictures takes a line more
  if (input.isHeadedApart()) return 0;
  return input.pictureSize().x < threeLines ? 172.0f : 136.0f;
}
/// Takes it off the top of the area. A figure has words only.
void addViewHeader(Scene& scene, const SceneInput& input, Box& area, const ViewHeader& header);

}  // namespace glassformer
