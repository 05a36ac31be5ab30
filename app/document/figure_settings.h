#pragma once
#include <string>

namespace glassformer {

/// Which look a figure has; paper and slides are often the other way round than the window.
enum class FigureLook { AsWindow, Light, Dark };

inline constexpr float leastFrameSeconds = 0.1f, mostFrameSeconds = 10;
inline constexpr float leastFigureScale = 0.25f, greatestFigureScale = 16;

/// How the export panel and `glassformer render` write the current view down; what the format and size ids
/// mean is listed in app/figure/.
struct FigureSettings {
  std::string format = "svg";  ///< id in app/figure/figure_formats.cpp
  std::string size = "slide";  ///< id in app/figure/figure_sizes.cpp
  float scale = 2;             ///< pixels of a PNG per pixel of the layout
  FigureLook look = FigureLook::Light;
  bool caption = true;
  bool allNumbers = false;      ///< CSV and NPY: every tensor of the view instead of the main one
  std::string each;             ///< id in app/figure/sequences.cpp; empty: one figure of what is there
  bool moves = true;            ///< of a sequence: one file, where the format can
  float seconds = 1;            ///< that each of its figures is seen then
  std::string folder;           ///< empty: the user's pictures
  std::string editedCaption;    ///< stands in place of `captionReplaced`, while that is the caption
  std::string captionReplaced;  ///< the generated caption it was written for

  bool operator==(const FigureSettings&) const = default;
};

}  // namespace glassformer
