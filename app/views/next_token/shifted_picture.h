#pragma once
#include "app/drawing/scene_input.h"

namespace glassformer {

/// Teacher forcing: what training compares at every place at once. Above what the model reads, the text;
/// below it what it is to say, the same text shifted by one, and what it would say by itself; below that the
/// loss −ln p of each, and their mean. In as many lines as there is room for.
Scene shiftedTextScene(const SceneInput& input);

}  // namespace glassformer
