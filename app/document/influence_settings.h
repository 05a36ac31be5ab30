#pragma once

namespace glassformer {

/// What ViewSettings::choices calls what the matrix shows, and its one value: what gets around the mask, in
/// place of gradients.
inline constexpr const char *matrixChoice = "influence.matrix", *leaksShown = "leaks";

/// Settings of the influence view.
struct InfluenceSettings {
  bool byInput = false;      ///< gradient times input, which has a sign, instead of the gradient's length
  bool logarithmic = false;  ///< the axis of influence over distance
  int entry = -1;            ///< whose logit; -1: the model's own answer at the selected position

  bool operator==(const InfluenceSettings&) const = default;
};

}  // namespace glassformer
