#pragma once
#include "app/views/attention/attention_picture.h"

namespace glassformer {

/// What was said of where heads look, held against every head over many texts: a cell for each head; of the
/// selected one every rule that has a name, its texts by agreement, and those on which it does
/// something else.
void drawRulePicture(AttentionPicture& picture, Box area);

}  // namespace glassformer
