#pragma once
#include <functional>
#include <string>

#include "app/scene/scene_input.h"

namespace glassformer {

/// Pieces that several views share.

enum class Side { Left, Top, Bottom };

/// One label per row (Left) or column (Top, Bottom) of `box`, in the strip of `depth` pixels beside it.
/// Labels that would overlap are thinned out; those in `strong` are always shown and stand out.
struct AxisLabels {
  Box box;
  Side side = Side::Left;
  int count = 0;
  float depth = 64;
  std::function<std::string(int)> label;
  std::function<bool(int)> strong;
  FontFace face = FontFace::Mono;
};
void addLabels(Scene& scene, const SceneInput& input, const AxisLabels& labels);

/// A colour scale with its range written at its ends, in a column `width` wide: the legend of a heatmap.
void addColorScale(Scene& scene, const SceneInput& input, Box box, ColorMap map, Range range);

/// The outline that marks a selected or hovered part.
void addOutline(Scene& scene, Box box, Rgba color, float width = 1.5f);

/// A line of text with the common defaults.
Text& addText(Scene& scene, Point at, std::string text, TextStyle style, Align horizontal = Align::Start);

/// "nothing to see yet", in the middle, with a reason.
Scene emptyScene(const SceneInput& input, const std::string& title, const std::string& reason);

/// A range symmetric around zero that holds another one.
Range symmetric(Range range);

}  // namespace glassformer
