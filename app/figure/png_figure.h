#pragma once
#include <string>
#include <vector>

#include "app/figure/figure.h"

namespace glassformer {

/// The most pixels a side of a picture may have.
inline constexpr int mostPixels = 16384;

/// A PNG file of scale · layout pixels.
std::string pngFigure(const Figure& figure, float scale, const FigureFonts& fonts);

/// The same pixels, for the window's preview: RGBA, top row first.
struct FigurePixels {
  int width = 0, height = 0;
  std::vector<unsigned char> rgba;
};
FigurePixels figurePixels(const Figure& figure, float scale, const FigureFonts& fonts);

}  // namespace glassformer
