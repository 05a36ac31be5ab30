#pragma once
#include <string>

#include "app/figure/figure.h"

namespace glassformer {

/// An SVG file in the figure's printed size, with its caption as description for those who cannot see it.
std::string svgFigure(const Figure& figure, const FigureFonts& fonts);

}  // namespace glassformer
