#pragma once
#include "app/engine/need.h"
#include "app/views/attention/attention_picture.h"

namespace glassformer {

/// Linear attention as the recurrence that it is: what the selected head keeps after each token, what the
/// selected one adds to it, and what it reads out, beside what the pass computed with its whole pattern. Of
/// another attention, a way to this one.
void drawStatePicture(AttentionPicture& picture, Box area);

namespace needs {
/// lens.linear_*: see core/lens/linear_state.h.
extern const Need runningState;
}  // namespace needs

}  // namespace glassformer
