#pragma once
#include "app/views/attention/decomposition_picture.h"

namespace glassformer {

/// One score of the selected head as a table of who wrote the query times who wrote the key.
Scene scoreTableScene(const WhyPicture& picture);

}  // namespace glassformer
