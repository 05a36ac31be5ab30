#pragma once
#include "app/document/beam_tree_settings.h"
#include "app/scene/geometry.h"

namespace glassformer {

/// Where a tree of so many columns and of this height at full size comes to lie in an area. Zooming widens
/// the columns and stretches the rows, each until it is comfortable to read, so that a tree much wider than
/// high fills the area at every zoom.
class BeamViewport {
 public:
  /// As much of it as can be read is shown at first: columns of at least `readable`.
  BeamViewport(Box area, int columns, float height, TreeSection section, float readable = readableColumn);
  static constexpr float readableColumn = 86;

  const Box& area() const { return area_; }
  float columnWidth() const { return columnWidth_; }
  /// The part of a column between its nodes and the next one's.
  float linkWidth() const {
    return std::min(columnWidth_ * (columnWidth_ < readableColumn ? 0.22f : 0.28f), 40.0f);
  }
  float rowScale() const { return rowScale_; }  ///< 1: the size nodes were laid out with
  /// How much larger the rows of a tree with so many columns may become where the area has the height, for
  /// columns to fill its width: 1, or more on a large stage.
  static float roomyScale(const Box& area, int columns);
  float letterSize() const;  ///< of a token in its node
  /// A place `column` columns and `y` pixels at full size into the tree.
  Point place(float column, float y) const;
  bool showsAll() const { return zoom_ <= 1.001f; }
  /// Moved up or down no further than it takes to see all between these heights of the tree at full size, or,
  /// where they are further apart than the area, its middle.
  void moveTo(float top, float bottom);

  /// Closer (above 0) or further away, what lies at these fractions of the area staying there.
  TreeSection zoomed(float notches, Point at) const;
  /// Moved by fractions of the area.
  TreeSection panned(Point by) const;

 private:
  void apply(float zoom);
  Point size() const { return {columnWidth_ * columns_, height_ * rowScale_}; }
  Point offset() const;
  float mostZoom() const;
  float readableZoom() const;

  Box area_;
  float columns_, height_;
  float fittingColumn_, fittingRow_;  // of the whole tree
  TreeSection section_;
  float readable_;
  float zoom_ = 1, columnWidth_ = 0, rowScale_ = 1;
};

}  // namespace glassformer
