#pragma once
#include <optional>

#include "app/scene/view_header.h"

namespace glassformer {

/// A picture of the loss landscape while it is being drawn, and what all its layouts need to know.
struct LandscapeView {
  explicit LandscapeView(const SceneInput& sceneInput);

  const SceneInput& input;
  const Theme& theme;
  const LandscapeSettings& settings;
  Scene scene;
  TensorRef losses;                  ///< [U, W]
  std::optional<TensorView> values;  /// of them; empty where nothing is measured yet
  Coloring scale;

  bool isThere() const { return values.has_value(); }
  /// A difference has a sign, which a height would hide.
  bool isMap() const { return settings.layout == LandscapeLayout::Map || input.snapshot.isDifference(); }
  int side() const { return values->extent[0]; }
  /// The model's own weights: the cell in the middle.
  TensorRef middle() const { return losses.cell(side() / 2, side() / 2); }
  /// The step of a row ('b') or column ('a').
  TensorRef step(char direction, int i) const { return {std::string("landscape.") + direction, {i}}; }
  /// The cell under the pointer, here or in the other picture of a comparison.
  std::optional<std::array<int, 2>> pointed() const;
};

/// Title, explanation, layouts and the choice of the scale; takes them off the area's top.
void addLandscapeHeader(LandscapeView& view, Box& area);
/// The model's own loss, and the choice of what is measured; takes them off the area's bottom.
void addLandscapeFooter(LandscapeView& view, Box& area);
inline constexpr float landscapeFooter = Theme::control + 8;  ///< its height
/// The colours with their range in a column at the right of `area`, which they are taken off.
void addLandscapeScale(LandscapeView& view, Box& area);
/// What the pointer says of a cell.
std::function<std::string(const Target&)> landscapeWords(const LandscapeView& view);
/// A number of an axis.
Text stepText(const LandscapeView& view, char direction, int i);

/// Levels of the contour lines.
inline constexpr int contourSteps = 12;

}  // namespace glassformer
