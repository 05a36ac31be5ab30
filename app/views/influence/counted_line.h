#pragma once
#include "app/views/influence/influence_picture.h"

namespace glassformer {

/// A line with every token of the open text, those marked that the mean of a loss is taken over. Dragging
/// over tokens counts them, or no longer, as the first one says.
void addCountedLine(InfluencePicture& picture, const Box& line);

}  // namespace glassformer
