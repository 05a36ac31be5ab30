#pragma once
#include "app/scene/residual/residual_view.h"

namespace glassformer {

/// The tokens whose logit can be taken apart: the one that is, and the model's likeliest at the selected
/// position with their logits there. A click chooses one; the likeliest stands for whatever the model
/// answers.
void addEntryList(ResidualView& view, Box& area);

}  // namespace glassformer
