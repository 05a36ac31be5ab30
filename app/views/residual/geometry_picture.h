#pragma once
#include "app/views/residual/residual_picture.h"

namespace glassformer {

/// The tokens' vectors as dots along their first two or three principal components: the residual stream at a
/// place that can be chosen, or queries and keys of the selected head, both in one projection. A unit is as
/// long in all directions, so that distances are true as far as the components hold them.
void drawGeometryPicture(ResidualPicture& picture, Box area);

}  // namespace glassformer
