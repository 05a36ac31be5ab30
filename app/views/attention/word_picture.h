#pragma once
#include "app/engine/need.h"
#include "app/views/attention/attention_picture.h"

namespace glassformer {

/// The selected head for one word: the keys across, and downwards, row by row, how its query becomes scores,
/// weights, a sum of values and what is written into the residual stream. Rows can be shown one after the
/// other.
void drawWordPicture(AttentionPicture& picture, Box area);

namespace needs {
extern const Need rowsOfWord;
}

}  // namespace glassformer
