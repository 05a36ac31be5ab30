#pragma once
#include "app/views/training/training_view.h"

namespace glassformer {

/// What becomes of every part of the model: gradient and update, parts down, steps across.
void drawPartsPicture(TrainingView& view, Box area);

}  // namespace glassformer
