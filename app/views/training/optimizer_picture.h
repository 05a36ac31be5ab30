#pragma once
#include "app/views/training/training_picture.h"

namespace glassformer {

/// A weight, its gradient and Adam's moments, as matrices.
void drawOptimizerPicture(TrainingPicture& picture, Box area);

}  // namespace glassformer
