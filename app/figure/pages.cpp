#include "app/figure/pages.h"

#include <cairo-pdf.h>

#include "app/figure/cairo_bytes.h"
#include "app/figure/cairo_pen.h"
#include "app/figure/cell_image.h"
#include "app/figure/scene_painting.h"

namespace glassformer {

std::string pdfOfPages(std::span<const Page> pages, const FigureSize& size, const std::string& title,
                       const std::string& subject, const Theme& theme, const FigureFonts& fonts) {
  std::string bytes;
  const double points = static_cast<double>(size.pointsPerPixel());
  const CairoSurface surface(
      cairo_pdf_surface_create_for_stream(appendBytes, &bytes, static_cast<double>(size.layout.x) * points,
                                          static_cast<double>(size.layout.y) * points),
      cairo_surface_destroy);
  cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_TITLE, title.c_str());
  cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_SUBJECT, subject.c_str());
  cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATOR, "Glassformer");
  // Without the time: made from the same, it is the same.
  cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATE_DATE, "");
  const std::unique_ptr<cairo_t, void (*)(cairo_t*)> cairo(cairo_create(surface.get()), cairo_destroy);
  for (const Page& page : pages) {
    cairo_save(cairo.get());
    cairo_scale(cairo.get(), points, points);
    CairoPen pen(cairo.get(), fonts, CairoPen::Surface::Vectors);
    pen.rectangle({0, 0, size.layout.x, size.layout.y}, 0, theme.ground);
    for (const Page::Placed& placed : page.figures) {
      pen.pushPlacement(placed.at, 1);
      paintFigure(pen, placed.figure, fonts);
      pen.pop();
    }
    paintScene(pen, page.words, theme, fonts);
    cairo_restore(cairo.get());
    cairo_show_page(cairo.get());
  }
  cairo_surface_finish(surface.get());
  return bytes;
}

}  // namespace glassformer
