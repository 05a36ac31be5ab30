#pragma once
#include "app/views/training/training_picture.h"

namespace glassformer {

/// The run's numbers over its steps, one plot below the other; the schedule of the steps that come can be
/// dragged.
void drawTrainingCurvesPicture(TrainingPicture& picture, Box area);

}  // namespace glassformer
