#pragma once
#include <string>

#include "app/figure/figure.h"

namespace glassformer {

/// A PDF file of one page in the figure's printed size: vectors, embedded fonts, text that can be searched.
std::string pdfFigure(const Figure& figure, const FigureFonts& fonts);

}  // namespace glassformer
