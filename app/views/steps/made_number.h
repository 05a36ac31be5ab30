#pragma once
#include "app/views/steps/step_picture.h"

namespace glassformer {

/// Below a step's equation the chosen number, "q[5, 2] = 0.412", and what made it: of a sum over `innerCount`
/// products the largest ones, of a function its curve, else the operands' numbers in one line. `resultHits`:
/// what the result's numbers answer to the pointer.
void drawMadeNumber(StepPicture& picture, const StepEquation& equation, int innerCount, HitRegion resultHits,
                    Box area);

}  // namespace glassformer
