#pragma once

namespace glassformer {

/// What ViewSettings::choices calls the number that is shown of every part over many texts: what leaving it
/// out does to the loss, or to the logits of the tokens that come, or what it adds to these itself.
inline constexpr const char *effectNumber = "influence.effect", *effectOnLogit = "logit",
                            *effectDirect = "direct";

}  // namespace glassformer
