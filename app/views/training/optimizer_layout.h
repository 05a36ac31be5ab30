#pragma once
#include "app/views/training/training_view.h"

namespace glassformer {

/// A weight, its gradient and Adam's moments, as matrices.
void drawOptimizerLayout(TrainingView& view, Box area);

}  // namespace glassformer
