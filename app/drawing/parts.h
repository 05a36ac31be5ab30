#pragma once
#include <functional>
#include <string>
#include <vector>

#include "app/drawing/scene_input.h"

namespace glassformer {

/// Pieces that several views share.

/// The margin around a picture of this width, and all of a picture but its margin.
float marginOf(const SceneInput& input, float width);
Box contentOf(const SceneInput& input, Point size);

enum class Side { Left, Top, Bottom };

/// One label per row (Left) or column (Top, Bottom) of `box`, in the strip of `depth` pixels beside it.
/// Labels that would overlap are thinned out; those in `strong` are always shown and stand out.
struct AxisLabels {
  Box box;
  Side side = Side::Left;
  int count = 0;
  float depth = 64;
  std::function<std::string(int)> label;
  std::function<bool(int)> strong;
  FontFace face = FontFace::Mono;
  float size = Theme::small;
  bool numbers = false;  ///< written level, thinned out to multiples of a power of two
};
void addLabels(Scene& scene, const SceneInput& input, const AxisLabels& labels);

/// How values become colours. Where the snapshot is a difference, every value has a sign: what was meant as a
/// share or a size is coloured around zero, with one range for all the planes given.
struct Coloring {
  ColorMap map = ColorMap::Sequential;
  Range range;
};
Coloring coloring(const SceneInput& input, const std::vector<TensorRef>& planes, const Coloring& plain);

/// A colour scale with its range written at its ends, in a column `width` wide: the legend of a heatmap.
void addColorScale(Scene& scene, const SceneInput& input, Box box, ColorMap map, Range range);
/// The same level, over the width of a box, the ends of its range below.
void addLevelScale(Scene& scene, const SceneInput& input, Box box, const Coloring& coloring);
/// How much of the height that takes.
inline constexpr float levelScale = 30;

/// Hatching over what a mask takes from a square part of a matrix of scores: `count` queries from
/// `firstQuery` on, as many keys from `firstKey` on.
void addMaskHatch(Scene& scene, Box box, int count, int firstQuery, int firstKey, const AttentionMask& mask,
                  Rgba color);
/// A swatch of masked cells with what they are, for a legend.
void addMaskedLegend(Scene& scene, const SceneInput& input, Point at, const std::string& words = "masked");

/// Alternatives side by side, one of them on, ending at the right edge. Each is a hit region named after its
/// label.
float widthOf(const SceneInput& input, const std::vector<Choice>& choices);
/// As close together as they may stand.
float leastWidthOf(const SceneInput& input, const std::vector<Choice>& choices);
/// Returns where they stand. A figure has none: nobody can press them. Some rooms show them apart. In less
/// than `most` pixels, if need be closer together than otherwise; 0: no limit.
Box addChoices(Scene& scene, const SceneInput& input, Point topRight, const std::vector<Choice>& choices,
               float most = 0);

/// Title, and below it a line of explanation in at most `width` pixels; 56 pixels high.
void addHeading(Scene& scene, const SceneInput& input, Box box, const std::string& title,
                const std::string& about, FontFace aboutFace = FontFace::Ui);

/// Text on a coloured cell: dark on light colours, light on dark ones.
Rgba inkOn(Rgba cell);

/// The numbers of a matrix in its cells, as soon as they fit: at this size, else shortened, down to `least`.
void addCellNumbers(Scene& scene, const SceneInput& input, const Matrix& matrix, float size,
                    float least = Theme::small - 2);

/// The outline that marks a selected or hovered part.
void addOutline(Scene& scene, Box box, Rgba color, float width = 1.5f);

/// What stands in the place of numbers that are not measured yet: that they are being measured, were
/// cancelled, or wait until a run pauses.
std::string waitingWords(const SceneInput& input);

/// "nothing to see yet", in the middle, with a reason.
Scene emptyScene(const SceneInput& input, const std::string& title, const std::string& reason);

/// The end of an axis that holds a value: the next number up with two digits, 5.4 for 5.237.
float roundedUp(float value);
/// The same downwards, for values above zero: 5.2 for 5.237.
float roundedDown(float value);
/// The smallest range that holds both.
Range unionOf(Range a, Range b);
/// A range symmetric around zero that holds another one.
Range symmetric(Range range);

}  // namespace glassformer
