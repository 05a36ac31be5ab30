#pragma once
#include <functional>
#include <string>
#include <vector>

#include "app/scene/legend.h"

namespace glassformer {

/// A number at an axis.
struct Tick {
  float value;
  float along;  ///< pixels from the lower end
};
/// The round numbers of an axis of `pixels`, at least `apart` from one another and `corner` from both ends:
/// 1, 2 or 5 times a power of ten and its multiples; on a logarithmic one 1, 2 and 5 times every power, every
/// power, or as many of them as have room.
std::vector<Tick> ticksAlong(const Range& range, float pixels, float apart, float corner);
/// Of the line at a number: zero stands out.
Rgba gridColor(const Theme& theme, float value);

using NumberWords = std::function<std::string(float)>;
/// Of a share: "90 %", "3.9 %".
std::string percentWords(float share);

/// The numbers of an axis that goes upwards, at the left of a box: its ends, and round ones between, each
/// with a line across.
void addValueAxis(Scene& scene, const Typography& with, const Box& box, const Range& range,
                  const NumberWords& words = nullptr);
/// Whole numbers from 0 below a box that is `steps` wide, up to `last`.
void addStepAxis(Scene& scene, const Typography& with, const Box& box, int steps, int last);

/// A line over the columns of a plot.
struct PlotLine {
  TensorRef values;  ///< one row
  Rgba color;
  float width = 2;
  std::string name = {};  ///< in the legend, and for the pointer; where there is one line it needs none
  float extent = 1;       ///< of the width, that its columns cover; what is beyond the plot is cut off
  bool dots = false;      ///< a dot at every column
};

/// Lines that share their axes: a frame, the numbers of the upward axis, and what the pointer is told. What
/// the columns are is written below it by whoever draws it.
struct Plot {
  Box box;  ///< of the frame
  Range range;
  std::vector<PlotLine> lines;  ///< the first on top; at least one
  int pointed = -1;             ///< the column that an upright line marks
  NumberWords numbers = {};     ///< how axis and pointer write one; else as each does
};
void addPlotLines(Scene& scene, const Typography& with, const Plot& plot);
/// The same with a hit region over its columns, of the first line's numbers: it says what a column is called,
/// and the numbers there of all lines with names.
HitRegion& addPlot(Scene& scene, const Typography& with, const Plot& plot, std::string name,
                   std::function<std::string(int column)> say);
/// What the lines with names are.
Box addLegend(Scene& scene, const Typography& with, const Box& box, const std::vector<PlotLine>& lines,
              Align align = Align::Start);
/// Where the lines of a plot with this frame run: sharp peaks stay inside.
Box linesIn(const Box& frame);

}  // namespace glassformer
