#pragma once
#include "app/views/attention/attention_picture.h"

namespace glassformer {

/// What is known of the selected head on one page: the rules that fit it and what they bring back in its
/// place, what its weights alone say, its pattern on the open text, over the steps of its training how it
/// came to look so, and the texts on which it looks least evenly. Everything leads to the picture that shows
/// it in full.
void drawBiographyPicture(AttentionPicture& picture, Box area);

}  // namespace glassformer
