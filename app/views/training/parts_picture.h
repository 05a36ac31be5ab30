#pragma once
#include "app/views/training/training_picture.h"

namespace glassformer {

/// What becomes of every part of the model: gradient and update, parts down, steps across.
void drawPartsPicture(TrainingPicture& picture, Box area);

}  // namespace glassformer
