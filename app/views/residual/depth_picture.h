#pragma once
#include "app/engine/need.h"
#include "app/views/residual/residual_picture.h"

namespace glassformer {

/// The gradient of the loss by depth: its norm at every place of the stream, as the model is and without
/// residual connections, norms or either; and at every sum what comes through the skip and the sublayer.
void drawDepthPicture(ResidualPicture& picture, Box area);

namespace needs {
/// lens.gradient_loss and so on: see core/lens/depth_gradients.h.
extern const Need depthGradients;
}  // namespace needs

}  // namespace glassformer
