#pragma once
#include <memory>
#include <string>

#include "app/figure/pen.h"

typedef struct _cairo_surface cairo_surface_t;  // NOLINT(bugprone-reserved-identifier): the name is cairo's

namespace glassformer {

using CairoSurface = std::unique_ptr<cairo_surface_t, void (*)(cairo_surface_t*)>;

/// Whether a vector format draws these cells as rectangles, so that they can be taken apart and coloured in
/// an editor; a large heatmap is an image, which keeps the file small. Translucent cells are always an image:
/// rectangles overlap a little.
bool asRectangles(const CellColors& cells);

/// Calls visit(box, color) for runs of equal cells in a row, in drawing order. Each box reaches under its
/// right and lower neighbours, which are drawn later: anti-aliasing viewers leave no seam between them.
template <typename Visit>
void forEachRun(const Box& box, const CellColors& cells, Visit visit) {
  for (int row = 0; row < cells.rows; ++row)
    for (int first = 0, end = 0; first < cells.columns; first = end) {
      for (end = first; end < cells.columns && cells(row, end) == cells(row, first);) ++end;
      const Box a = box.cell(row, first, cells.rows, cells.columns);
      const Box b = box.cell(row, end - 1, cells.rows, cells.columns);
      const float right = end < cells.columns ? b.right() + b.width / 2 : box.right();
      const float bottom = row + 1 < cells.rows ? a.bottom() + a.height / 2 : box.bottom();
      visit(Box{a.x, a.y, right - a.x, bottom - a.y}, cells(row, first));
    }
}

/// One pixel per cell, times `enlarged` in both directions.
CairoSurface cellImage(const CellColors& cells, int enlarged = 1);
/// How much to enlarge cells in a file whose viewers may smooth images: then a soft edge is a small part of a
/// cell. Repeated pixels cost next to nothing once compressed. 1 where cells are too small to be told apart.
int enlargementOf(const Box& box, const CellColors& cells);

/// A surface as the bytes of a PNG file.
std::string pngBytesOf(cairo_surface_t* surface);

}  // namespace glassformer
