#include "app/figure/pages.h"

#include <cairo-pdf.h>

#include "app/figure/cairo_bytes.h"
#include "app/figure/cairo_pen.h"
#include "app/figure/cell_image.h"
#include "app/figure/scene_painting.h"

namespace glassformer {

namespace {

// Nothing where it cannot be read.
void paintPicture(cairo_t* cairo, const LaidPage::Picture& placed) {
  const CairoSurface picture(cairo_image_surface_create_from_png(placed.file.string().c_str()),
                             cairo_surface_destroy);
  if (cairo_surface_status(picture.get()) != CAIRO_STATUS_SUCCESS) return;
  const double width = static_cast<double>(placed.box.width),
               pixels = cairo_image_surface_get_width(picture.get());
  cairo_save(cairo);
  cairo_translate(cairo, static_cast<double>(placed.box.x), static_cast<double>(placed.box.y));
  cairo_scale(cairo, width / pixels, width / pixels);
  cairo_set_source_surface(cairo, picture.get(), 0, 0);
  cairo_paint(cairo);
  cairo_restore(cairo);
}

}  // namespace

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
    for (const LaidPage::Picture& placed : page.pictures) paintPicture(cairo.get(), placed);
    paintScene(pen, page.words, theme, fonts);
    cairo_restore(cairo.get());
    cairo_show_page(cairo.get());
  }
  cairo_surface_finish(surface.get());
  return bytes;
}

}  // namespace glassformer
