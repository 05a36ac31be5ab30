#include "app/views/residual/scales_picture.h"

#include "app/views/residual/places_plot.h"

namespace glassformer {

void drawScalesPicture(ResidualPicture& picture, Box area) {
  const bool rms = picture.config.norm == NormKind::Rms;
  addResidualHeader(picture, area,
                    std::string(rms ? "1 / ρ" : "1 / σ") +
                        " of the norm there: long vectors are scaled down" + aboutLines(picture.count));
  if (!picture.config.hasNorms()) {
    addText(picture.scene, area.center(), "This model has no norms.", picture.theme.note(), Align::Middle);
    return;
  }
  addPlacesPlot(picture, area, {picture.tensor("norm_scale"), "norm scales"});
}

}  // namespace glassformer
