#include "app/figure/svg_figure.h"

#include <cstdio>

#include "app/figure/svg_pen.h"

namespace glassformer {

std::string svgFigure(const Figure& figure, const FigureFonts& fonts) {
  SvgPen pen(fonts);
  paintFigure(pen, figure, fonts);
  const Point size = figure.size.layout;
  const float perPixel = figure.size.millimetres / size.x;
  char root[256];
  std::snprintf(root, sizeof root,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" "
                "xml:space=\"preserve\" width=\"%.2fmm\" height=\"%.2fmm\" viewBox=\"0 0 %g %g\">\n",
                static_cast<double>(figure.size.millimetres), static_cast<double>(size.y * perPixel),
                static_cast<double>(size.x), static_cast<double>(size.y));
  // White space counts, and letters stand as the window sets them: without kerning and ligatures.
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + std::string(root) + "<title>" +
         xmlText(figure.picture().title) + "</title>\n<desc>" + xmlText(figure.caption) +
         "</desc>\n<style>\n" + pen.fontFaces() +
         "text{white-space:pre;font-kerning:none;font-variant-ligatures:none}\n</style>\n" + pen.body() +
         "</svg>\n";
}

}  // namespace glassformer
