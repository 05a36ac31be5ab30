#pragma once
#include "app/views/training/training_view.h"

namespace glassformer {

/// A weight, its gradient and Adam's moments, as matrices.
void drawOptimizerPicture(TrainingView& view, Box area);

}  // namespace glassformer
