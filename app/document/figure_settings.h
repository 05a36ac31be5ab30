#pragma once
#include <string>

namespace glassformer {

/// Which look a figure has; paper and slides are often the other way round than the window.
enum class FigureLook { AsWindow, Light, Dark, Paper };  // Paper: light, on white

/// What stands beside a picture, where it has that: thumbnails of the heads, bars of the strongest, the
/// colour scale.
enum class BesidePicture { Heads, Bars, Scale };

/// The width in print, and the size of its text; 0: those of its size.
inline constexpr float mostMillimetres = 1000, leastPoints = 4, mostPoints = 24;
inline constexpr float leastFrameSeconds = 0.1f, mostFrameSeconds = 10;
inline constexpr float leastFigureScale = 0.25f, greatestFigureScale = 16;

/// How the export panel and `glassformer render` write the current view down; what the format and size ids
/// mean is listed in app/figure/.
struct FigureSettings {
  std::string format = "svg";  ///< id in app/figure/figure_formats.cpp
  std::string size = "slide";  ///< id in app/figure/figure_sizes.cpp
  float scale = 2;             ///< pixels of a PNG per pixel of the layout
  FigureLook look = FigureLook::Light;
  float millimetres = 0;                              ///< how wide it is in print; 0: as its size is
  float points = 0;                                   ///< of its text, in print; 0: as its size has it
  bool heads = true, bars = true, colorScale = true;  ///< the parts that it has
  bool headsFirst = false;                            ///< the column with heads and bars stands in front
  bool caption = true;
  bool captionAbove = false;
  bool allNumbers = false;      ///< CSV and NPY: every tensor of the view instead of the main one
  std::string each;             ///< id in app/figure/sequences.cpp; empty: one figure of what is there
  bool moves = true;            ///< of a sequence: one file, where the format can
  float seconds = 1;            ///< that each of its figures is seen then
  std::string folder;           ///< empty: the user's pictures
  std::string editedCaption;    ///< stands in place of `captionReplaced`, while that is the caption
  std::string captionReplaced;  ///< the generated caption it was written for

  bool has(BesidePicture part) const {
    return part == BesidePicture::Heads ? heads : part == BesidePicture::Bars ? bars : colorScale;
  }
  bool operator==(const FigureSettings&) const = default;
};

}  // namespace glassformer
