#pragma once
#include "app/views/residual/residual_picture.h"

namespace glassformer {

/// A tensor [P, T] of positive numbers, one per token and place: a line per token above, the same as a
/// heatmap below. Such numbers grow by about the same factor from block to block, so that they are drawn on a
/// logarithmic scale; their differences on a linear one around zero. Of many tokens only some have a line,
/// see linesDrawn().
struct PlacesPlot {
  std::string tensor;
  std::string name;  ///< of the heatmap's hit region
};
/// Which tokens of a plane [P, T] have a line: all while they are few; else evenly many of them, and each
/// that is the largest or smallest at some place, so that what they span is always seen.
std::vector<int> linesDrawn(const TensorView& values);
/// ", a line for every 4th of them and the outermost": said where not all have one.
std::string aboutLines(int tokens);
void addPlacesPlot(ResidualPicture& picture, Box area, const PlacesPlot& plot);

}  // namespace glassformer
