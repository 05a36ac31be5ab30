#pragma once
#include "app/views/training/training_picture.h"

namespace glassformer {

/// Held-out questions, what the model says, and what is right.
void drawAnswersPicture(TrainingPicture& picture, Box area);

}  // namespace glassformer
