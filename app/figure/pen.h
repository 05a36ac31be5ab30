#pragma once
#include <span>
#include <string>
#include <vector>

#include "app/scene/scene.h"

namespace glassformer {

/// The colours of a heatmap's cells, row by row.
struct CellColors {
  int rows = 0, columns = 0;
  std::vector<Rgba> colors;

  Rgba operator()(int row, int column) const {
    return colors[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                  static_cast<std::size_t>(column)];
  }
};

/// A line of text by its baseline. `at` is the baseline's left end, middle or right end, as `anchor` says; of
/// upright text its lower end, middle or upper end.
struct PlacedText {
  Point at;
  std::string text;
  TextStyle style;
  Align anchor = Align::Start;
  bool upright = false;
};

/// What a format can draw. paintScene says everything about a Scene's shapes in these few words, so that
/// their meaning is written once. Colours with alpha 0 draw nothing.
class Pen {
 public:
  virtual ~Pen() = default;

  virtual void rectangle(const Box& box, float radius, Rgba fill) = 0;
  /// The line lies on the box's edge, half inside and half outside.
  virtual void frame(const Box& box, float radius, Rgba color, float width) = 0;
  virtual void polyline(std::span<const Point> points, Rgba color, float width) = 0;
  virtual void polygon(std::span<const Point> points, Rgba fill) = 0;
  /// A polygon that meets its neighbours, drawn before and after it, without a seam.
  virtual void facet(std::span<const Point> points, Rgba fill) = 0;
  virtual void bezier(const std::array<Point, 4>& points, Rgba color, float width) = 0;
  /// Evenly spaced colours from left to right, or from the bottom to the top.
  virtual void gradient(const Box& box, bool vertical, std::span<const Rgba> colors) = 0;
  /// Cells as equal rectangles with sharp edges that meet without a seam.
  virtual void cells(const Box& box, const CellColors& colors) = 0;
  virtual void text(const PlacedText& text) = 0;

  /// What follows, up to the matching pop, is cut off at the box; or is drawn enlarged and then moved.
  virtual void pushClip(const Box& box) = 0;
  virtual void pushPlacement(Point origin, float scale) = 0;
  virtual void pop() = 0;
};

}  // namespace glassformer
