#pragma once
#include "app/views/attention/attention_picture.h"

namespace glassformer {

/// A plane as a large heatmap with its tokens beside it, which zooms and pans.
struct PlaneMatrix {
  AttentionPlane plane;
  Box box;                ///< of the cells
  float depth = 72;       ///< of the labels at the left and on top
  bool rowLabels = true;  ///< the tokens at the left, and the names of both axes
  Coloring scale;
  std::string name;  ///< of its hit region
};
void addPlaneMatrix(AttentionPicture& picture, const PlaneMatrix& matrix);

}  // namespace glassformer
