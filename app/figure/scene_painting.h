#pragma once
#include "app/figure/figure_fonts.h"
#include "app/figure/pen.h"
#include "app/scene/theme.h"

namespace glassformer {

/// Draws a scene's shapes with a pen, in their order; the counterpart of app/screen/scene_painter.h for every
/// format of figures. `fonts` are those the scene was laid out with.
void paintScene(Pen& pen, const Scene& scene, const Theme& theme, const FigureFonts& fonts);

}  // namespace glassformer
