#pragma once
#include "app/views/residual/residual_picture.h"

namespace glassformer {

/// The neurons of a block's MLP: how active each is at every token; of the chosen one the same as bars, what
/// its weights read and write, and the texts on which it is strongest.
void drawNeuronsPicture(ResidualPicture& picture, Box area);

}  // namespace glassformer
