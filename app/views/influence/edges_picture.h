#pragma once
#include "app/views/influence/influence_picture.h"

namespace glassformer {

/// Who writes what which head's queries, keys and values read, and how much that matters over many texts: the
/// graph of the edges above a threshold, and the strongest with mean, spread, the open text, how often they
/// matter, and what leaving them out does.
void drawEdgesPicture(InfluencePicture& picture, Box area);

}  // namespace glassformer
