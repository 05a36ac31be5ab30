#include "app/figure/pdf_figure.h"

#include <cairo-pdf.h>

#include "app/figure/cairo_bytes.h"
#include "app/figure/cairo_pen.h"
#include "app/figure/cell_image.h"

namespace glassformer {

std::string pdfFigure(const Figure& figure, const FigureFonts& fonts) {
  std::string bytes;
  const double points = static_cast<double>(figure.size.pointsPerPixel());
  const CairoSurface surface(cairo_pdf_surface_create_for_stream(
                                 appendBytes, &bytes, static_cast<double>(figure.size.layout.x) * points,
                                 static_cast<double>(figure.size.layout.y) * points),
                             cairo_surface_destroy);
  cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_TITLE, figure.picture().title.c_str());
  cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_SUBJECT, figure.caption.c_str());
  cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATOR, "Glassformer");
  const std::unique_ptr<cairo_t, void (*)(cairo_t*)> cairo(cairo_create(surface.get()), cairo_destroy);
  cairo_scale(cairo.get(), points, points);
  CairoPen pen(cairo.get(), fonts, CairoPen::Surface::Vectors);
  paintFigure(pen, figure, fonts);
  cairo_show_page(cairo.get());
  cairo_surface_finish(surface.get());
  return bytes;
}

}  // namespace glassformer
