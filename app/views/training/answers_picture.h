#pragma once
#include "app/views/training/training_view.h"

namespace glassformer {

/// Held-out questions, what the model says, and what is right.
void drawAnswersPicture(TrainingView& view, Box area);

}  // namespace glassformer
