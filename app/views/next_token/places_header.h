#pragma once
#include "app/drawing/scene_input.h"

namespace glassformer {

/// What stands above the sublayers of a picture of the logit lens: each one's name, and the token that the
/// model would say there. How it fits depends on the width of a column: level, upright, or thinned out.
enum class PlacesHeader { Wide, Upright, Thinned };
PlacesHeader placesHeaderFor(float columnWidth);
float placesHeaderHeight(const SceneInput& input, PlacesHeader header, int places);

struct PlacesHeaderOptions {
  PlacesHeader header = PlacesHeader::Wide;
  Box box, columns;  ///< its own place, and the columns below that it names
  int places = 0;
  int answer = 0;  ///< the token that the model really says
};
void addPlacesHeader(Scene& scene, const SceneInput& input, const PlacesHeaderOptions& options);

}  // namespace glassformer
