#pragma once
#include <string>
#include <vector>

#include "app/drawing/scene_input.h"

namespace glassformer {

struct View;

/// One of the pictures of a view that stand on the stage, or in a figure: the only one, or where two texts
/// are compared one of both or their difference, below a line that says which.
struct StagePane {
  Target::Source source = Target::Source::This;
  Box picture;
  Box title;           ///< without height where there is none
  std::string words;   ///< in the title
  std::string less{};  ///< of a difference, what is subtracted
};

/// What the workspace wants to see of a view, laid out in `area`.
std::vector<StagePane> stagePanes(const Workspace& workspace, const Snapshot& snapshot, Box area);
/// What its title says in so much room: each text is cut in its middle.
std::string titleOf(const StagePane& pane, const TextMetrics& metrics, const TextStyle& style, float width);
/// The scene of a pane; positions in `input` are those of the open text.
Scene stageScene(const View& view, const StagePane& pane, const SceneInput& input);

}  // namespace glassformer
