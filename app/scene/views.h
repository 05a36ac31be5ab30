#pragma once
#include <span>
#include <string_view>

#include "app/scene/scene_input.h"

namespace glassformer {

/// Whose tokens a picture is of; the pointer means nothing on others.
enum class Reads { Nothing, Text, TextAndSource };

/// A picture of the stage.
struct View {
  const char* id;     ///< in the session file and on the command line
  const char* title;  ///< on its tab
  const char* about;  ///< one line, on hover
  Scene (*scene)(const SceneInput&);
  Reads reads = Reads::Text;
};

/// Every view, in tab order: the one list that tabs, shortcuts, export and tests read.
std::span<const View> views();
/// The view of an id; the first one for an id that no longer exists.
const View& viewOf(std::string_view id);

}  // namespace glassformer
