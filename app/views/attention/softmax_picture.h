#pragma once
#include "app/engine/need.h"
#include "app/views/attention/attention_picture.h"

namespace glassformer {

/// The softmax of two scores as a surface over both, at a temperature that can be changed: with the scores of
/// two keys of the selected query as a point in it, and the two ways through that point: flat where both
/// scores change alike, a sigmoid where one does.
void drawSoftmaxPicture(AttentionPicture& picture, Box area);

namespace needs {
/// lens.softmax_*: see above, and core/lens/softmax_pair.h.
extern const Need softmaxSurface;
}  // namespace needs

}  // namespace glassformer
