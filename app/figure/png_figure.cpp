#include "app/figure/png_figure.h"

#include <cairo.h>

#include <algorithm>

#include "app/figure/cairo_pen.h"
#include "app/figure/cell_image.h"

namespace glassformer {

namespace {

CairoSurface drawn(const Figure& figure, float scale, const FigureFonts& fonts) {
  CairoSurface surface(
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, std::clamp(figure.pixelWidth(scale), 1, mostPixels),
                                 std::clamp(figure.pixelHeight(scale), 1, mostPixels)),
      cairo_surface_destroy);
  const std::unique_ptr<cairo_t, void (*)(cairo_t*)> cairo(cairo_create(surface.get()), cairo_destroy);
  cairo_scale(cairo.get(), static_cast<double>(scale), static_cast<double>(scale));
  CairoPen pen(cairo.get(), fonts, CairoPen::Surface::Pixels);
  paintFigure(pen, figure, fonts);
  cairo_surface_flush(surface.get());
  return surface;
}

}  // namespace

std::string pngFigure(const Figure& figure, float scale, const FigureFonts& fonts) {
  return pngBytesOf(drawn(figure, scale, fonts).get());
}

FigurePixels figurePixels(const Figure& figure, float scale, const FigureFonts& fonts) {
  const CairoSurface surface = drawn(figure, scale, fonts);
  FigurePixels pixels{
      cairo_image_surface_get_width(surface.get()), cairo_image_surface_get_height(surface.get()), {}};
  const unsigned char* const data = cairo_image_surface_get_data(surface.get());
  const int stride = cairo_image_surface_get_stride(surface.get());
  pixels.rgba.reserve(static_cast<std::size_t>(pixels.width) * static_cast<std::size_t>(pixels.height) * 4);
  for (int y = 0; y < pixels.height; ++y) {
    const auto* row = reinterpret_cast<const std::uint32_t*>(data + static_cast<std::ptrdiff_t>(y) * stride);
    for (int x = 0; x < pixels.width; ++x)
      for (const int shift : {16, 8, 0, 24})
        pixels.rgba.push_back(shift == 24 ? 255 : static_cast<unsigned char>(row[x] >> shift & 255));
  }
  return pixels;
}

}  // namespace glassformer
