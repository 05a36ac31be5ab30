#pragma once
#include "app/views/training/training_picture.h"

namespace glassformer {

/// Validation loss against the size of the data: the run's recipe, trained briefly on 1/16 to all of them.
void drawDataPicture(TrainingPicture& picture, Box area);

}  // namespace glassformer
