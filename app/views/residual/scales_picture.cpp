#include "app/views/residual/scales_picture.h"

#include "app/views/residual/places_plot.h"

namespace glassformer {

void drawScalesPicture(ResidualView& view, Box area) {
  const bool rms = view.config.norm == NormKind::Rms;
  addResidualHeader(view, area,
                    std::string(rms ? "1 / ρ" : "1 / σ") +
                        " of the norm there: long vectors are scaled down" + aboutLines(view.count));
  if (!view.config.hasNorms()) {
    addText(view.scene, area.center(), "This model has no norms.", view.theme.note(), Align::Middle);
    return;
  }
  addPlacesPlot(view, area, {view.tensor("norm_scale"), "norm scales"});
}

}  // namespace glassformer
