#pragma once
#include <array>

#include "app/scene/geometry.h"

namespace glassformer {

/// One colour map per meaning, in every view.
enum class ColorMap {
  Sequential,  ///< shares and sizes: nothing is the colour of the ground, much stands out
  Diverging,   ///< signed values, with a range symmetric around zero
};
inline constexpr int colorMapCount = 2;

/// Colours are mixed in OKLab (Ottosson 2020), where equal steps look equal. Lightness rises (dark theme) or
/// falls (light theme) steadily along Sequential and with the distance from the middle of Diverging, and the
/// hues run between blue and yellow or orange, so the order survives every common colour blindness and a grey
/// print.
Rgba colorAt(ColorMap map, float fraction, bool dark);
/// Of a bar or a sign above or below zero: Diverging's, far enough from the middle to be told apart.
Rgba signColor(double value, bool dark);
using ColorTable = std::array<Rgba, 256>;
ColorTable colorTable(ColorMap map, bool dark);

/// Heads, in a fixed order that repeats after eight; told apart with every common colour blindness.
Rgba headColor(int head, bool dark);

/// A colour by lightness (0 to 1), chroma (0 to about 0.3) and hue in degrees.
Rgba oklch(float lightness, float chroma, float hue);

}  // namespace glassformer
