#pragma once
#include "app/scene/residual/residual_view.h"

namespace glassformer {

/// A tensor [P, T] of positive numbers, one per token and place: a line per token above, the same as a
/// heatmap below. Such numbers grow by about the same factor from block to block, so that they are drawn on a
/// logarithmic scale; their differences on a linear one around zero.
struct PlacesPlot {
  std::string tensor;
  std::string name;  ///< of the heatmap's hit region
};
void addPlacesPlot(ResidualView& view, Box area, const PlacesPlot& plot);

}  // namespace glassformer
