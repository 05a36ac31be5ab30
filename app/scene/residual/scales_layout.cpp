#include "app/scene/residual/scales_layout.h"

#include "app/scene/residual/places_plot.h"

namespace glassformer {

void drawScalesLayout(ResidualView& view, Box area) {
  addResidualHeader(
      view, area,
      "1 / σ of the layer norm that reads there: long vectors are scaled down" + aboutLines(view.count));
  addPlacesPlot(view, area, {"lens.norm_scale", "norm scales"});
}

}  // namespace glassformer
