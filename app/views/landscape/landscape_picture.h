#pragma once
#include <optional>

#include "app/drawing/view_header.h"

namespace glassformer {

/// A picture of the loss landscape while it is being drawn, and what all its pictures need to know.
struct LandscapePicture {
  explicit LandscapePicture(const SceneInput& sceneInput);
  /// What is said where there is nothing to draw.
  static std::optional<Scene> empty(const SceneInput& input);

  const SceneInput& input;
  const Theme& theme;
  const LandscapeSettings& settings;
  Scene scene;
  TensorRef losses;                  ///< [U, W]
  std::optional<TensorView> values;  /// of them; empty where nothing is measured yet
  Coloring scale;

  bool isThere() const { return values.has_value(); }
  int side() const { return values->extent[0]; }
  /// The model's own weights: the cell in the middle.
  TensorRef middle() const { return losses.cell(side() / 2, side() / 2); }
  /// The step of a row ('b') or column ('a').
  TensorRef step(char direction, int i) const { return {std::string("landscape.") + direction, {i}}; }
  /// The cell under the pointer, here or in the other picture of a comparison.
  std::optional<std::array<int, 2>> pointed() const;
};

/// Title, explanation, pictures and the choice of the scale; at the bottom the model's own loss, and the
/// choice of what is measured. Takes them off the area. False where there is nothing to draw into the rest
/// yet, which it says.
bool addLandscapeFrame(LandscapePicture& picture, Box& area);
inline constexpr float landscapeFooter = Theme::control + 8;  ///< the height of what is at the bottom
/// The colours with their range in a column at the right of `area`, which they are taken off.
void addLandscapeScale(LandscapePicture& picture, Box& area);
/// What the pointer says of a cell.
std::function<std::string(const Target&)> landscapeWords(const LandscapePicture& picture);
/// A number of an axis.
Text stepText(const LandscapePicture& picture, char direction, int i);

/// Levels of the contour lines.
inline constexpr int contourSteps = 12;

}  // namespace glassformer
