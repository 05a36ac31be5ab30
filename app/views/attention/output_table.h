#pragma once
#include "app/views/attention/decomposition_picture.h"

namespace glassformer {

/// What the selected head adds to one logit as a table of keys times who wrote their values.
Scene outputTableScene(const WhyPicture& picture);

}  // namespace glassformer
