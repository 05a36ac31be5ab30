#pragma once
#include <span>
#include <string_view>

#include "app/document/figure_settings.h"
#include "app/scene/geometry.h"
#include "app/scene/theme.h"

namespace glassformer {

/// What a figure is laid out on and how wide that is on paper or on the slide.
struct FigureSize {
  const char* id;
  const char* title;
  const char* about;
  Point layout;       ///< in pixels of the layout, the caption included
  float millimetres;  ///< the width in print

  float pointsPerPixel() const { return millimetres / 25.4f * 72 / layout.x; }
  /// Of most of its text, in print.
  float points() const { return pointsPerPixel() * Theme::small; }
};

/// The size that a figure has by its settings: a preset's, or the window's, as wide and with as large a text
/// as they say. The sides keep their proportions; text is no larger than leaves a picture its room.
FigureSize sizeFor(const FigureSettings& settings, const FigureSize& window);

/// Every preset, in the order of the menu.
std::span<const FigureSize> figureSizes();
/// nullptr where there is none of that id.
const FigureSize* findFigureSize(std::string_view id);
/// The size for a picture of so many pixels at 96 pixels per inch, as on a screen.
FigureSize pixelSize(Point layout);

}  // namespace glassformer
