#pragma once

namespace glassformer {

/// What ViewSettings::choices says of the gradient by depth: of the selected token alone, or ("") the mean
/// over all; and of the same model with weights as training starts, or ("") as it is.
inline constexpr const char *gradientTokens = "residual.gradient_tokens", *gradientOfToken = "one",
                            *gradientWeights = "residual.gradient_weights", *gradientOfFresh = "fresh";

}  // namespace glassformer
