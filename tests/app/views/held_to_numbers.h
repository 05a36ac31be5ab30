#pragma once
#include "tests/app/views/view_cases.h"

namespace glassformer {

/// Every shape of a picture and what is hit in it says the number that it refers to: as large, as long, as
/// high as that is on its scale. Numbers are read without the scene's own way of doing so. Fails by the
/// picture's name.
void checkNumbers(const ViewCase& view);

/// No text of a picture lies on another or leaves it, and no sentence is cut where the stage is as wide as
/// beside the lesson in a window of 1280 pixels.
void checkTexts(const ViewCase& view);

}  // namespace glassformer
