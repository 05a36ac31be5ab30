#pragma once
#include <memory>
#include <string>
#include <vector>

#include "app/document/figure_recipe.h"
#include "app/drawing/number_tables.h"
#include "app/engine/figure_origin.h"
#include "app/engine/question.h"
#include "app/figure/figure_fonts.h"
#include "app/figure/figure_sizes.h"
#include "app/figure/pen.h"
#include "app/scene/theme.h"
#include "app/views/views.h"

namespace glassformer {

/// How many pixels so much of a layout has.
inline int pixelsOf(float layout, float scale) { return static_cast<int>(std::lround(layout * scale)); }

/// A scene on the figure's sheet.
struct FigureScene {
  Scene picture;
  Point at;
  float scale = 1;  ///< below 1 where the scene needs more room than there is
};

/// A view as it is written down: its Scene above its caption, laid out once for every format. Holds all it
/// needs, so that it can be drawn on another thread.
struct Figure {
  FigureSize size;
  Theme theme;
  std::vector<FigureScene> scenes;  ///< one, or two that are compared
  Scene titles;                     ///< of compared ones
  Scene foot;                       ///< the caption's lines, below or above; empty without
  std::string caption;              ///< the words of the foot, or those it would have
  std::string generated;            ///< the caption before anyone edited it
  std::vector<NumberTable> numbers;
  Question question;      ///< that they answer; its checksum is not filled in, as the recipe's origin
  FigureRecipe recipe;    ///< its origin is not filled in: that takes long
  FigureSources sources;  ///< of which that is to be said

  const Scene& picture() const { return scenes.front().picture; }
  int pixelWidth(float scale) const { return pixelsOf(size.layout.x, scale); }
  int pixelHeight(float scale) const { return pixelsOf(size.layout.y, scale); }
};

/// The workspace's view as its FigureSettings say, on a sheet of this size. `fonts` measure the text.
Figure makeFigure(const Workspace& workspace, const Snapshot& snapshot, const FigureSize& size,
                  const FigureFonts& fonts);

/// Whether the figure's look is dark.
bool isDark(const Workspace& workspace);

/// Draws all of a figure in pixels of its layout, its ground first.
void paintFigure(Pen& pen, const Figure& figure, const FigureFonts& fonts);

}  // namespace glassformer
