#pragma once
#include "app/views/influence/influence_picture.h"

namespace glassformer {

/// What leaving out each part does over many texts, as mean and spread, beside what it does to the open one;
/// and the texts in which the selected head matters most: a click opens one.
void drawEffectsPicture(InfluencePicture& picture, Box area);

}  // namespace glassformer
