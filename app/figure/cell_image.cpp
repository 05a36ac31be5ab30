#include "app/figure/cell_image.h"

#include <cairo.h>

#include <algorithm>

#include "app/figure/cairo_bytes.h"

namespace glassformer {

namespace {

constexpr int mostRectangles = 64 * 64, sharpSide = 1024;

// Cairo's pixel: alpha first, colours multiplied by it.
std::uint32_t packed(Rgba c) {
  const auto times = [&](std::uint8_t v) { return static_cast<std::uint32_t>((v * c.a + 127) / 255); };
  return static_cast<std::uint32_t>(c.a) << 24 | times(c.r) << 16 | times(c.g) << 8 | times(c.b);
}

bool opaque(const CellColors& cells) {
  return std::all_of(cells.colors.begin(), cells.colors.end(), [](Rgba c) { return c.a == 255; });
}

}  // namespace

bool asRectangles(const CellColors& cells) {
  return cells.rows * cells.columns <= mostRectangles && opaque(cells);
}

int enlargementOf(const Box& box, const CellColors& cells) {
  constexpr float smallestSeen = 0.4f;  // pixels of the layout
  if (box.width < smallestSeen * static_cast<float>(cells.columns)) return 1;
  return std::clamp(sharpSide / std::max({cells.rows, cells.columns, 1}), 2, 16);
}

CairoSurface cellImage(const CellColors& cells, int enlarged) {
  CairoSurface image(cairo_image_surface_create(opaque(cells) ? CAIRO_FORMAT_RGB24 : CAIRO_FORMAT_ARGB32,
                                                cells.columns * enlarged, cells.rows * enlarged),
                     cairo_surface_destroy);
  cairo_surface_flush(image.get());
  unsigned char* const data = cairo_image_surface_get_data(image.get());
  const int stride = cairo_image_surface_get_stride(image.get());
  for (int y = 0; y < cells.rows * enlarged; ++y) {
    auto* row = reinterpret_cast<std::uint32_t*>(data + static_cast<std::ptrdiff_t>(y) * stride);
    for (int x = 0; x < cells.columns * enlarged; ++x) row[x] = packed(cells(y / enlarged, x / enlarged));
  }
  cairo_surface_mark_dirty(image.get());
  return image;
}

std::string pngBytesOf(cairo_surface_t* surface) {
  std::string bytes;
  cairo_surface_write_to_png_stream(surface, appendBytes, &bytes);
  return bytes;
}

}  // namespace glassformer
